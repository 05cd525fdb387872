/** Locks in SQL databases, through JDBC alone. */
module io.lockkeeper.jdbc {
    requires transitive io.lockkeeper;
    requires transitive java.sql;
    requires static org.jspecify;

    exports io.lockkeeper.jdbc;

    provides io.lockkeeper.spi.BackendProvider with
            io.lockkeeper.jdbc.JdbcProvider;
}
