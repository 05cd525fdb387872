package io.lockkeeper.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one keeper. What is null has the value of the default keeper, or else Lockkeeper's own default.
 *
 * @param url where the store is; null for what the application has
 * @param store which of the application's stores to use, if there is no URL
 * @param dataSource the bean name of the data source to use, if there are several
 * @param createTables whether missing tables are created in that data source
 * @param lease the lease of locks without one of their own
 * @param commandTimeout the timeout of one request to the store
 * @param prefix what the names of all locks begin with
 * @param note a note about this process for others
 * @param lazy whether the application may start before the store can be reached
 */
public record KeeperProperties(
        @Nullable String url,
        @Nullable StoreChoice store,
        @Nullable String dataSource,
        @Nullable Boolean createTables,
        @Nullable Duration lease,
        @Nullable Duration commandTimeout,
        @Nullable String prefix,
        @Nullable String note,
        @Nullable Boolean lazy) {

    /** The stores that an application of Spring Boot may have of its own. */
    public enum StoreChoice {
        /** A {@code DataSource} bean, through lockkeeper-jdbc. */
        DATA_SOURCE("data-source"),
        /** The server of {@code spring.data.redis}, through lockkeeper-redis. */
        REDIS("redis");

        private final String text;

        StoreChoice(String text) {
            this.text = text;
        }

        /** As it is written in a property. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** These settings, and where there is none, that of the default keeper. The store is always the keeper's own. */
    KeeperProperties orElse(KeeperProperties other) {
        return new KeeperProperties(
                url,
                store,
                dataSource,
                createTables == null ? other.createTables : createTables,
                lease == null ? other.lease : lease,
                commandTimeout == null ? other.commandTimeout : commandTimeout,
                prefix == null ? other.prefix : prefix,
                note == null ? other.note : note,
                lazy == null ? other.lazy : lazy);
    }
}
