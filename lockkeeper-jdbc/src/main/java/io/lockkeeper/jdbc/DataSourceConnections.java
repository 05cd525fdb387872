package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of the application's own {@link DataSource}, borrowed for one request each. */
final class DataSourceConnections implements ConnectionSource {

    private final DataSource dataSource;
    private volatile String name = "jdbc:";

    DataSourceConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public @Nullable Connection idle() {
        return null;
    }

    @Override
    public Connection open() throws SQLException {
        Connection connection = dataSource.getConnection();
        if (name.equals("jdbc:")) {
            try {
                name = JdbcUrl.shown(connection.getMetaData().getURL());
            } catch (SQLException | RuntimeException e) {
                name = "jdbc: (a DataSource)";
            }
        }
        return connection;
    }

    @Override
    public void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            ConnectionSource.cut(connection);
        }
    }

    @Override
    public void discard(Connection connection) {
        ConnectionSource.cut(connection);
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public void close() {
        // The application closes its own.
    }
}
