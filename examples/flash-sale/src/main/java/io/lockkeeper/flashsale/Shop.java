package io.lockkeeper.flashsale;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.JdbcBackend;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of the sale, as the process sees them that arranges it. It removes them at the end. */
final class Shop implements AutoCloseable {

    /** What the names of Lockkeeper's own tables begin with, so that those of the application are left alone. */
    static final String LOCK_TABLES = "seckill_";

    private static final List<String> TABLES =
            List.of("seckill_good", "seckill_order", "resource_lock", "seckill_lock", "seckill_latch");

    private final Connection connection;

    private Shop(Connection connection) {
        this.connection = connection;
    }

    /** @param replace whether tables of these names may be dropped */
    static Shop open(String url, boolean replace) throws SQLException {
        Shop shop = new Shop(DriverManager.getConnection(url));
        try {
            List<String> there = shop.existing();
            if (!there.isEmpty() && !replace) {
                throw new UsageException("The database has a table " + there.get(0)
                        + " already, perhaps of a sale that was ended; with --replace it is dropped");
            }
            shop.drop();
            shop.create();
        } catch (SQLException | RuntimeException e) {
            shop.connection.close();
            throw e;
        }
        Lockkeeper.of(JdbcBackend.builder()
                        .url(url)
                        .tablePrefix(LOCK_TABLES)
                        .createTables(true)
                        .build())
                .close();
        return shop;
    }

    private List<String> existing() throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet tables = connection
                .getMetaData()
                .getTables(
                        connection.getCatalog(), connection.getSchema(), "%", new String[] {"TABLE", "BASE TABLE"})) {
            while (tables.next()) {
                String name = tables.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
                if (TABLES.contains(name)) {
                    found.add(name);
                }
            }
        }
        return found;
    }

    private void drop() throws SQLException {
        execute("DROP VIEW IF EXISTS seckill_resource_lock");
        for (String table : TABLES) {
            execute("DROP TABLE IF EXISTS " + table);
        }
    }

    private void create() throws SQLException {
        execute("CREATE TABLE seckill_good (id int PRIMARY KEY, stock int NOT NULL,"
                + " version bigint DEFAULT 0 NOT NULL, fence_token bigint, fence_id varchar(64))");
        execute(
                "CREATE TABLE seckill_order (id varchar(36) PRIMARY KEY, good_id int NOT NULL, sold_at bigint NOT NULL)");
        execute("CREATE TABLE resource_lock (resource_name varchar(100) PRIMARY KEY, node_info varchar(36) NOT NULL,"
                + " created_at bigint NOT NULL)");
    }

    private void execute(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    /** The database and its version, for people. */
    String database() throws SQLException {
        DatabaseMetaData data = connection.getMetaData();
        String version = data.getDatabaseProductVersion();
        int space = version.indexOf(' ');
        return data.getDatabaseProductName() + " " + (space < 0 ? version : version.substring(0, space));
    }

    /** Puts the stock on the shelves, in so many rows, and forgets what was sold. */
    void stock(int items, int rows) throws SQLException {
        execute("DELETE FROM seckill_order");
        execute("DELETE FROM resource_lock");
        execute("DELETE FROM seckill_good");
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO seckill_good (id, stock) VALUES (?, ?)")) {
            for (int row = 0; row < rows; row++) {
                insert.setInt(1, Desk.GOOD + row);
                insert.setInt(2, items / rows + (row < items % rows ? 1 : 0));
                insert.executeUpdate();
            }
        }
    }

    /**
     * What the tables say after the sale.
     *
     * @param left of the stock
     * @param soldAt when each order was written, in milliseconds, in order
     */
    record Books(int left, List<Long> soldAt) {}

    Books books() throws SQLException {
        List<Long> soldAt = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT sold_at FROM seckill_order ORDER BY sold_at")) {
                while (rows.next()) {
                    soldAt.add(rows.getLong(1));
                }
            }
            try (ResultSet row = statement.executeQuery("SELECT SUM(stock) FROM seckill_good")) {
                row.next();
                return new Books(row.getInt(1), soldAt);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        try (connection) {
            drop();
        }
    }
}
