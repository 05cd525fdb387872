package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.sql.SqlDatabase;
import io.lockkeeper.testkit.sql.SqlServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One row that another transaction has locked does not cost the other locks their renewal. */
@Tag("time")
final class LockedRowTest {

    @ParameterizedTest
    @ValueSource(strings = {"PostgreSQL", "MariaDB"})
    void aLockedRowDoesNotHoldUpTheRenewalOfOthers(String product) throws Exception {
        boolean postgres = product.equals("PostgreSQL");
        SqlServer server = postgres ? Databases.postgres() : Databases.mariaDb();
        SqlDatabase database = postgres ? server.admin() : Databases.mariaDbDatabase();
        String prefix = "r" + UUID.randomUUID().toString().replace("-", "").substring(0, 8) + "_";
        Dialect dialect = TestTables.create(database, new Tables(null, prefix), null);
        Duration lease = Duration.ofSeconds(3);
        try (JdbcBackend backend = JdbcBackend.builder()
                        .dataSource(database.dataSource())
                        .tablePrefix(prefix)
                        .build();
                Lockkeeper keeper = Lockkeeper.builder().lease(lease).open(backend);
                Connection other = database.connect()) {
            List<ExclusiveHold> holds = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                holds.add(keeper.lock("row/" + i).acquire());
            }
            other.setAutoCommit(false);
            try (PreparedStatement lock = other.prepareStatement(
                    "SELECT 1 FROM " + dialect.lock() + " WHERE name = ? AND family = 'lock' FOR UPDATE")) {
                Sql.set(lock, 1, dialect.key("row/7"));
                lock.executeQuery().close();
            }
            long until = System.nanoTime() + lease.multipliedBy(3).toNanos();
            while (System.nanoTime() < until) {
                for (int i = 0; i < holds.size(); i++) {
                    if (i != 7) {
                        assertThat(holds.get(i).state()).as("row/" + i).isEqualTo(HoldState.HELD);
                    }
                }
                LockSupport.parkNanos(20_000_000);
            }
            assertThat(holds.get(7).state()).isEqualTo(HoldState.LOST);
            other.rollback();
        }
    }
}
