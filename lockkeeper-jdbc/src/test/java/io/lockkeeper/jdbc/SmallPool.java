package io.lockkeeper.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A simple pool of an application. A thread that asks an exhausted one waits without end. A connection that is closed is lent
 * again as it is: nothing is set back, so what a borrower leaves behind is seen.
 */
final class SmallPool extends TestDataSource implements AutoCloseable {

    /** How connections are set up before they are lent for the first time. */
    interface SetUp {
        void on(Connection connection) throws SQLException;
    }

    private final DataSource original;
    private final SetUp setUp;
    private final Semaphore free;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger lent = new AtomicInteger();
    private final Queue<String> leftBehind = new ConcurrentLinkedQueue<>();

    SmallPool(DataSource original, int size, SetUp setUp) {
        this.original = original;
        this.free = new Semaphore(size, true);
        this.setUp = setUp;
    }

    SmallPool(DataSource original, int size) {
        this(original, size, connection -> {});
    }

    /** The most connections that were lent at a time. */
    int most() {
        return most.get();
    }

    /** How many are lent now. */
    int lent() {
        return lent.get();
    }

    /** What borrowers changed and did not set back. */
    Queue<String> leftBehind() {
        return leftBehind;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            free.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while waiting for a connection", e);
        }
        boolean done = false;
        try {
            Connection connection = idle();
            if (connection == null) {
                connection = original.getConnection();
                setUp.on(connection);
            }
            Connection lending = lent(connection);
            most.accumulateAndGet(lent.incrementAndGet(), Math::max);
            done = true;
            return lending;
        } finally {
            if (!done) {
                free.release();
            }
        }
    }

    private @Nullable Connection idle() {
        lock.lock();
        try {
            return idle.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    private Connection lent(Connection connection) throws SQLException {
        String before = state(connection);
        AtomicBoolean back = new AtomicBoolean();
        AtomicBoolean aborted = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                SmallPool.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "close" -> {
                            if (back.compareAndSet(false, true)) {
                                giveBack(connection, before, aborted.get());
                            }
                            return null;
                        }
                        case "abort" -> aborted.set(true);
                        case "isClosed" -> {
                            return back.get() || connection.isClosed();
                        }
                        default -> {
                            if (back.get() && method.getDeclaringClass() != Object.class) {
                                throw new SQLException("The connection is closed");
                            }
                        }
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void giveBack(Connection connection, String before, boolean aborted) throws SQLException {
        lent.decrementAndGet();
        try {
            if (aborted || connection.isClosed()) {
                connection.close();
                return;
            }
            String after = state(connection);
            if (!after.equals(before)) {
                leftBehind.add(before + " became " + after);
            }
            lock.lock();
            try {
                idle.addFirst(connection);
            } finally {
                lock.unlock();
            }
        } finally {
            free.release();
        }
    }

    private static String state(Connection connection) throws SQLException {
        String timeout;
        try {
            timeout = String.valueOf(connection.getNetworkTimeout());
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            timeout = "unknown";
        }
        String locks = "";
        String query = connection.getMetaData().getURL().startsWith("jdbc:h2:")
                ? "SELECT LOCK_TIMEOUT()"
                : connection.getMetaData().getURL().startsWith("jdbc:sqlite:") ? "PRAGMA busy_timeout" : "";
        if (!query.isEmpty()) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(query)) {
                locks = rows.next() ? ", lock timeout " + rows.getInt(1) : "";
            }
        }
        return "autocommit " + connection.getAutoCommit() + ", isolation " + connection.getTransactionIsolation()
                + ", network timeout " + timeout + locks;
    }

    @Override
    public void close() throws SQLException {
        for (Connection next = idle(); next != null; next = idle()) {
            next.close();
        }
    }
}
