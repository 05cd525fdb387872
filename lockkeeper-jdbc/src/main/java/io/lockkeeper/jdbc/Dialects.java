package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;

/** Finds out which database a connection leads to, by its product and version. */
final class Dialects {

    private Dialects() {}

    /**
     * The dialect of the database.
     *
     * @throws UnfitDatabaseException if the product is not supported, or its version is too old
     */
    static Dialect of(Connection connection, Tables tables) throws SQLException {
        Product product = product(connection);
        return switch (product) {
            case POSTGRESQL -> new PostgresDialect(tables);
            case MYSQL, MARIADB -> new MySqlDialect(tables, product.title());
            case H2 -> new H2Dialect(tables);
            case SQLITE -> new SqliteDialect(tables);
        };
    }

    /**
     * The database of a connection. The drivers know it since they connected, so this is no request.
     *
     * @throws UnfitDatabaseException if the product is not supported, or its version is too old
     */
    static Product product(Connection connection) throws SQLException {
        DatabaseMetaData data = connection.getMetaData();
        String product = data.getDatabaseProductName();
        String version = data.getDatabaseProductVersion();
        int major = data.getDatabaseMajorVersion();
        int minor = data.getDatabaseMinorVersion();
        String words = (product + " " + version).toLowerCase(Locale.ROOT);
        if (words.contains("postgresql")) {
            require(major >= 14, product, version, "14");
            return Product.POSTGRESQL;
        }
        // MariaDB calls itself MySQL when it is reached by MySQL's driver; its version tells.
        if (words.contains("mariadb")) {
            int[] own = mariaDb(version, major, minor);
            require(own[0] > 10 || (own[0] == 10 && own[1] >= 6), "MariaDB", version, "10.6");
            return Product.MARIADB;
        }
        if (words.startsWith("mysql")) {
            require(major >= 8, product, version, "8.0");
            return Product.MYSQL;
        }
        if (words.startsWith("h2")) {
            require(major > 2 || (major == 2 && minor >= 2), product, version, "2.2");
            return Product.H2;
        }
        if (words.startsWith("sqlite")) {
            require(major > 3 || (major == 3 && minor >= 42), product, version, "3.42");
            return Product.SQLITE;
        }
        throw new UnfitDatabaseException("The database is " + product + " " + version
                + ", which is not supported; use PostgreSQL, MySQL, MariaDB, H2 or SQLite");
    }

    /** MariaDB may put {@code 5.5.5-} before its version, for clients that know no higher one. */
    private static int[] mariaDb(String version, int major, int minor) {
        String own = version.startsWith("5.5.5-") ? version.substring(6) : version;
        String[] parts = own.split("[.-]");
        try {
            return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
        } catch (RuntimeException notNumbers) {
            return new int[] {major, minor};
        }
    }

    private static void require(boolean fits, String product, String version, String oldest) {
        if (!fits) {
            throw new UnfitDatabaseException(
                    "The database is " + product + " " + version + "; use " + oldest + " or later");
        }
    }
}
