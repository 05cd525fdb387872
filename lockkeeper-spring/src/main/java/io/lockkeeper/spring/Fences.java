package io.lockkeeper.spring;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Hold;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.MultiHold;
import io.lockkeeper.jdbc.JdbcFencing;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * Writes fencing tokens into the application's own transactions.
 *
 * <p><b>Invariant.</b> A hold is admitted at most once by each fence in the transactions of a thread that are open at the same time in one database. An
 * inner transaction ({@code REQUIRES_NEW}) that asked again would wait for the row that the outer one has locked, forever. It need not
 * ask: while the outer one is open, its row keeps every other holder out.
 */
final class Fences {

    private static final Log LOG = LogFactory.getLog(Fences.class);

    /** All of them, also those that are not injected by type. */
    private final Supplier<Collection<DataSource>> dataSources;

    private final JdbcFencing guard;
    private final AtomicBoolean warned = new AtomicBoolean();

    Fences(ListableBeanFactory factory, LockkeeperSettings settings) {
        this.dataSources = SingletonSupplier.of(() -> List.copyOf(
                factory.getBeansOfType(DataSource.class, false, true).values()));
        this.guard = JdbcFencing.inTable(settings.fenceTable());
    }

    /** Makes the table in every database of the application. */
    void createTables() {
        for (DataSource dataSource : dataSources.get()) {
            try (Connection connection = dataSource.getConnection()) {
                guard.createTable(connection);
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
            } catch (SQLException e) {
                throw new LockkeeperException(
                        "The table of fencing tokens could not be made: " + e.getMessage()
                                + "; make it in your migrations and set LockkeeperSettings.withFenceTableCreated(false)",
                        e);
            }
        }
    }

    /** Admits the hold to the transaction that is open on this thread, if it is fenced. */
    void admit(HeldLock held) {
        String fence = held.rule().fence();
        if (fence == null) {
            return;
        }
        boolean found = false;
        for (DataSource dataSource : dataSources.get()) {
            if (TransactionSynchronizationManager.hasResource(dataSource)) {
                found = true;
                admitOnce(held, fence, dataSource);
            }
        }
        if (found) {
            return;
        }
        // Where everything is fenced, it may be a transaction of a message broker.
        if (fence.isEmpty()) {
            if (warned.compareAndSet(false, true)) {
                LOG.warn("A transaction under the lock " + held
                        + " is not fenced, since it is on none of the application's"
                        + " DataSource beans. This warning is logged once.");
            }
        } else {
            throw new IllegalStateException("The lock " + held + " is fenced, but its transaction is on none of the"
                    + " application's DataSource beans, so its token has nowhere to go; remove the fence or use a JDBC or JPA"
                    + " transaction");
        }
    }

    private void admitOnce(HeldLock held, String fence, DataSource dataSource) {
        Admission admission = new Admission(dataSource, scope(held.rule(), fence));
        if (!held.fenced().add(admission)) {
            return;
        }
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    held.fenced().remove(admission);
                }
            });
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            for (ExclusiveHold hold : exclusive(held.hold())) {
                guard.admit(connection, what(admission.scope, hold), hold);
            }
        } catch (SQLException e) {
            throw new LockkeeperException(
                    "The fencing token of " + held + " could not be written: " + e.getMessage(), e);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /** In one order everywhere, so that two holders of several locks do not deadlock on the rows. */
    private static List<ExclusiveHold> exclusive(Hold hold) {
        if (hold instanceof ExclusiveHold one) {
            return List.of(one);
        }
        return hold instanceof MultiHold several
                ? several.exclusiveHolds().stream()
                        .sorted(Comparator.comparing(ExclusiveHold::name))
                        .toList()
                : List.of();
    }

    /** Tokens are comparable only within one lock of one store. */
    private static String scope(LockRule rule, String fence) {
        return fence.isEmpty() ? rule.keeper() : fence;
    }

    private static String what(String scope, ExclusiveHold hold) {
        return scope.isEmpty() ? hold.name() : scope + "/" + hold.name();
    }

    /** A fence that a hold has passed. A nested call may have another fence on the same lock. */
    private record Admission(DataSource dataSource, String scope) {}
}
