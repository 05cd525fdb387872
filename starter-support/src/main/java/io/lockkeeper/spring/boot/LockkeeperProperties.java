package io.lockkeeper.spring.boot;

import io.lockkeeper.spring.LockkeeperSettings;
import io.lockkeeper.spring.boot.KeeperProperties.StoreChoice;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * The properties {@code lockkeeper.*}.
 *
 * @param url where the store of the default keeper is; null for what the application has
 * @param store which of the application's stores to use, if there is no URL
 * @param dataSource the bean name of the data source to use, if there are several
 * @param createTables whether missing tables are created in that data source
 * @param lease the lease of locks without one of their own
 * @param waitFor {@code wait}: how long {@code @Locked} and lock registries wait for a lock by default
 * @param commandTimeout the timeout of one request to the store
 * @param prefix what the names of all locks begin with
 * @param note a note about this process for others; {@code spring.application.name} by default
 * @param lazy whether the application may start before the store can be reached
 * @param transactions how locks and transactions go together
 * @param logToken whether the token of the current lock is in the MDC
 * @param orderSampling of so many locks that are taken under another one, one is checked for its order
 * @param shutdownWait how long holders may finish when the application shuts down
 * @param keepers further keepers, by the names of their beans
 */
@ConfigurationProperties("lockkeeper")
public record LockkeeperProperties(
        @Nullable String url,
        @Nullable StoreChoice store,
        @Nullable String dataSource,
        @Nullable Boolean createTables,
        @Nullable Duration lease,
        @Name("wait") @Nullable Duration waitFor,
        @Nullable Duration commandTimeout,
        @Nullable String prefix,
        @Nullable String note,
        @Nullable Boolean lazy,
        @DefaultValue Transactions transactions,
        @DefaultValue("false") boolean logToken,
        @Nullable Integer orderSampling,
        @DefaultValue("20s") Duration shutdownWait,
        @DefaultValue Map<String, KeeperProperties> keepers) {

    /**
     * How locks and transactions go together.
     *
     * @param fence whether every exclusive lock fences the transactions under it
     * @param fenceTable the table of guards
     * @param createFenceTable whether the table of guards is created when the application starts
     */
    public record Transactions(
            @DefaultValue("false") boolean fence,
            @Nullable String fenceTable,
            @DefaultValue("true") boolean createFenceTable) {}

    /** The settings of annotations. */
    LockkeeperSettings annotations() {
        LockkeeperSettings settings = LockkeeperSettings.defaults()
                .withAlwaysFenced(transactions.fence)
                .withFenceTableCreated(transactions.createFenceTable)
                .withTokenInLog(logToken);
        settings = waitFor == null ? settings : settings.withWaitFor(waitFor);
        settings = transactions.fenceTable == null ? settings : settings.withFenceTable(transactions.fenceTable);
        return orderSampling == null ? settings : settings.withOrderSampling(orderSampling);
    }

    /** The settings of the default keeper. */
    KeeperProperties main() {
        return new KeeperProperties(url, store, dataSource, createTables, lease, commandTimeout, prefix, note, lazy);
    }
}
