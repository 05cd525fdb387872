package io.lockkeeper.jdbc;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What PostgreSQL's own driver can do beyond JDBC. Its class is found through the connection at hand, since this module needs no
 * driver.
 */
final class PgDriver {

    private static final String CONNECTION = "org.postgresql.PGConnection";

    private final Object connection;
    private final Class<?> type;

    private PgDriver(Object connection, Class<?> type) {
        this.connection = connection;
        this.type = type;
    }

    /**
     * The driver's connection behind this one.
     *
     * @throws SQLException if the driver is another one
     */
    static PgDriver of(Connection pooled) throws SQLException {
        ClassLoader[] loaders = {
            pooled.getMetaData().getClass().getClassLoader(),
            pooled.getClass().getClassLoader(),
            Thread.currentThread().getContextClassLoader()
        };
        for (ClassLoader loader : loaders) {
            try {
                Class<?> type = Class.forName(CONNECTION, false, loader);
                return new PgDriver(pooled.unwrap(type), type);
            } catch (ClassNotFoundException e) {
                // The next one may have it.
            }
        }
        throw new SQLException(CONNECTION + " was not found; notifications need PostgreSQL's own driver");
    }

    /** The payloads of the notifications that came, or nothing when this time is over. */
    List<String> notifications(Duration timeout) throws SQLException {
        Object all = call("getNotifications", (int) Math.max(1, timeout.toMillis()));
        List<String> payloads = new ArrayList<>();
        for (int i = 0; all != null && i < Array.getLength(all); i++) {
            payloads.add(parameter(Array.get(all, i)));
        }
        return payloads;
    }

    /** Statements are not prepared on the server any more, however often they are executed. */
    void prepareNothing() throws SQLException {
        call("setPrepareThreshold", 0);
    }

    private static String parameter(Object notification) throws SQLException {
        try {
            // The interface, which is public; the class need not be.
            Method method = Class.forName(
                            "org.postgresql.PGNotification",
                            false,
                            notification.getClass().getClassLoader())
                    .getMethod("getParameter");
            return String.valueOf(method.invoke(notification));
        } catch (ReflectiveOperationException e) {
            throw new SQLException("The driver of PostgreSQL has changed", e);
        }
    }

    private Object call(String name, int argument) throws SQLException {
        try {
            return type.getMethod(name, int.class).invoke(connection, argument);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw new SQLException("The driver of PostgreSQL failed", e);
        } catch (ReflectiveOperationException e) {
            throw new SQLException("The driver of PostgreSQL has changed", e);
        }
    }
}
