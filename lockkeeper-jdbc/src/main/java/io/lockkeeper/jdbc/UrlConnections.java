package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a {@code jdbc:} URL, kept for the next request. How many there are is bounded by {@link Requests}, which makes
 * no more requests at a time.
 *
 * <p>A connection that was not used for a while may be dead without anybody having noticed, so it is asked first. When one is
 * discarded all idle ones go with it: usually the server was restarted.
 */
final class UrlConnections implements ConnectionSource {

    private static final long TRUSTED_FOR = JdbcPolicy.TRUSTED_FOR.toNanos();
    private static final int VALIDATION = (int) JdbcPolicy.VALIDATION.toSeconds();

    private record Idle(Connection connection, long since) {}

    private final JdbcUrl url;
    private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    UrlConnections(JdbcUrl url) {
        this.url = url;
    }

    @Override
    public @Nullable Connection idle() {
        Idle newest = idle.peekFirst();
        if (newest == null || Deadline.now() - newest.since > TRUSTED_FOR || !idle.remove(newest)) {
            return null;
        }
        return newest.connection;
    }

    @Override
    public Connection open() throws SQLException {
        for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            if (Deadline.now() - next.since <= TRUSTED_FOR || next.connection.isValid(VALIDATION)) {
                return next.connection;
            }
            ConnectionSource.cut(next.connection);
        }
        return connect();
    }

    /** Connects. Messages that quote the URL, which may have a password, quote what may be shown of it. */
    private Connection connect() throws SQLException {
        try {
            return DriverManager.getConnection(url.forDriver());
        } catch (SQLException e) {
            String message = String.valueOf(e.getMessage());
            if (message.startsWith("No suitable driver")) {
                throw new UnfitDatabaseException(
                        "No driver for " + url.shown() + " is on the class path; add the JDBC driver of that database");
            }
            if (message.contains(url.forDriver())) {
                throw new SQLException(
                        message.replace(url.forDriver(), url.shown()), e.getSQLState(), e.getErrorCode());
            }
            throw e;
        }
    }

    @Override
    public void giveBack(Connection connection) {
        idle.addFirst(new Idle(connection, Deadline.now()));
        if (closed) {
            clear();
        }
    }

    @Override
    public void discard(Connection connection) {
        ConnectionSource.cut(connection);
        clear();
    }

    private void clear() {
        for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            ConnectionSource.cut(next.connection);
        }
    }

    @Override
    public String describe() {
        return url.shown();
    }

    @Override
    public void close() {
        closed = true;
        clear();
    }
}
