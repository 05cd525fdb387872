package io.lockkeeper.examples;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.FencedRows;
import io.lockkeeper.jdbc.JdbcFencing;
import io.lockkeeper.jdbc.RowChange;
import io.lockkeeper.jdbc.RowLock;
import io.lockkeeper.jdbc.SessionLocksBackend;
import io.lockkeeper.jdbc.VersionedUpdate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** What the page about locks and databases shows. */
final class DatabaseSnippets {

    private DatabaseSnippets() {}

    /** What the examples of the page use. */
    static void setUp(String url) throws SQLException {
        DataSource dataSource = JdbcConnectionPool.create("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1", "sa", "");
        Lockkeeper keeper = Lockkeeper.connect(url);
        String transactionNumber = "T-1";
        int cents = 995;
        try (Connection connection = dataSource.getConnection();
                PreparedStatement any = connection.prepareStatement("SELECT '" + transactionNumber + "', " + cents)) {
            any.execute();
        }
        keeper.close();
    }

    static void rowLock(DataSource dataSource) throws SQLException {
        RowLock good = RowLock.of("seckill_good").key("id").within(Duration.ofSeconds(2));
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            int stock = good.lock(connection, 42, row -> row.getInt("stock")).orElseThrow();
            if (stock > 0) {
                try (PreparedStatement update =
                        connection.prepareStatement("UPDATE seckill_good SET stock = ? WHERE id = ?")) {
                    update.setInt(1, stock - 1);
                    update.setInt(2, 42);
                    update.executeUpdate();
                }
            }
            connection.commit(); // ends the lock
        }
    }

    static void severalRows(DataSource dataSource) throws SQLException {
        RowLock accounts = RowLock.of("account").key("id");
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            List<Long> balances = accounts.lockAll(connection, List.of(7, 3), row -> row.getLong("balance"));
            if (balances.size() == 2) {
                try (PreparedStatement move = connection.prepareStatement(
                        "UPDATE account SET balance = balance + CASE id WHEN 3 THEN 10 ELSE -10 END WHERE id IN (3, 7)")) {
                    move.executeUpdate();
                }
            }
            connection.commit();
        }
    }

    static VersionedUpdate.Counts versioned(DataSource dataSource) throws SQLException {
        VersionedUpdate goods = VersionedUpdate.of("seckill_good").key("id").version("version");
        goods.update(
                dataSource,
                42,
                row -> row.getInt("stock") > 0 ? RowChange.set("stock", row.getInt("stock") - 1) : RowChange.none());
        return goods.counts(); // updates, conflicts, failures
    }

    static boolean oneStatement(DataSource dataSource) throws SQLException {
        VersionedUpdate goods = VersionedUpdate.of("seckill_good").key("id").version("version");
        try (Connection connection = dataSource.getConnection()) {
            return goods.apply(connection, 42, RowChange.sql("stock = stock - 1"), "stock > 0");
        }
    }

    static void sessionLocks(DataSource dataSource) throws InterruptedException {
        try (SessionLocksBackend backend = SessionLocksBackend.of(dataSource);
                Lockkeeper keeper = Lockkeeper.of(backend);
                ExclusiveHold hold = keeper.lock("import/2026").acquire()) {
            hold.onLost(loss -> System.out.println("stop: " + loss.reason())); // SESSION_ENDED
            System.out.println("imported under token " + hold.token());
        }
    }

    static void fencedRow(DataSource dataSource, Lockkeeper keeper) throws SQLException, InterruptedException {
        FencedRows goods = JdbcFencing.columnsOf("seckill_good", "id");
        try (ExclusiveHold hold = keeper.lock("goods/42").acquire();
                Connection connection = dataSource.getConnection()) {
            // StaleTokenException if a later holder wrote before
            goods.update(connection, 42, hold, "stock = stock - ?", 1);
        }
    }

    static void guarded(DataSource dataSource, Lockkeeper keeper) throws SQLException, InterruptedException {
        JdbcFencing guard = JdbcFencing.inTable("fence");
        try (ExclusiveHold hold = keeper.lock("goods/42").acquire();
                Connection connection = dataSource.getConnection()) {
            guard.createTable(connection); // once, in your migrations
            connection.setAutoCommit(false);
            guard.admit(connection, "goods/42", hold);
            try (PreparedStatement order =
                    connection.prepareStatement("INSERT INTO seckill_order (good_id) VALUES (?)")) {
                order.setInt(1, 42);
                order.executeUpdate();
            }
            connection.commit();
        }
    }
}
