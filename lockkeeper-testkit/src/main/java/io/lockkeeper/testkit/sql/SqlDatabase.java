package io.lockkeeper.testkit.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One database and a user of it: where it is found, and a few ways to talk to it.
 *
 * @param url of JDBC, without the user
 * @param user empty where there are no users
 */
public record SqlDatabase(String url, String user, String password) {

    /** The same database for another user. */
    public SqlDatabase as(String user, String password) {
        return new SqlDatabase(url, user, password);
    }

    /** The same database with one more setting of its driver, as in {@code with("useAffectedRows", "true")}. */
    public SqlDatabase with(String setting, String value) {
        return new SqlDatabase(joined(url, setting + "=" + value), user, password);
    }

    /** The URL of JDBC that also names the user and the password. */
    public String fullUrl() {
        if (user.isEmpty()) {
            return url;
        }
        boolean h2 = url.startsWith("jdbc:h2:");
        String named = joined(url, (h2 ? "USER=" : "user=") + user);
        return joined(named, (h2 ? "PASSWORD=" : "password=") + password);
    }

    private static String joined(String url, String setting) {
        if (url.startsWith("jdbc:h2:")) {
            return url + ";" + setting;
        }
        return url + (url.indexOf('?') < 0 ? "?" : "&") + setting;
    }

    /** The name of the database in its server: the last part of the URL. */
    public String name() {
        String path = url.indexOf('?') < 0 ? url : url.substring(0, url.indexOf('?'));
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** A new connection. The caller closes it. */
    public Connection connect() throws SQLException {
        Properties properties = new Properties();
        if (!user.isEmpty()) {
            properties.setProperty("user", user);
            properties.setProperty("password", password);
        }
        return DriverManager.getConnection(url, properties);
    }

    /** A source without a pool: each connection is a new one. */
    public DataSource dataSource() {
        return new PlainDataSource(this);
    }

    /** Executes statements one by one, each on its own. */
    public void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot execute " + String.join("; ", statements), e);
        }
    }

    /** The first column of all rows, as text. */
    public List<@Nullable String> column(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<@Nullable String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot ask " + query, e);
        }
    }

    /** The only value that a query yields, as text. */
    public String value(String query) {
        List<@Nullable String> values = column(query);
        if (values.size() != 1) {
            throw new IllegalStateException(
                    String.format(Locale.ROOT, "%d rows instead of one: %s", values.size(), query));
        }
        return String.valueOf(values.get(0));
    }

    /** The only value that a query yields, as a number. */
    public long number(String query) {
        return Long.parseLong(value(query));
    }

    @Override
    public String toString() {
        return user.isEmpty() ? url : url + " as " + user;
    }
}
