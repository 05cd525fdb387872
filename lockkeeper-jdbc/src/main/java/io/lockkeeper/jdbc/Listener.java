package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Keeper;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hears the notifications for one keeper, by LISTEN on a connection and a thread of its own.
 *
 * <p><b>Invariant.</b> A keeper counts on notifications only while it was shown that it is heard: after LISTEN it notifies itself,
 * through another connection, and waits for that. Behind a transaction pooler LISTEN succeeds and nothing ever comes; a keeper
 * that trusted the success would poll once a second instead of many times.
 *
 * <p>What was notified before LISTEN is lost, so everything is asked for again when it begins. A connection that breaks is made
 * again; meanwhile the keeper polls. The driver's class is found by the connection at hand, since this module needs no driver.
 */
final class Listener implements AutoCloseable {

    private static final Logger LOG = System.getLogger("io.lockkeeper.jdbc");
    private static final Duration PROBE_TIMEOUT = JdbcTimes.PROBE;
    private static final Duration LIVENESS_CHECK = JdbcTimes.LIVENESS_CHECK;
    private static final Duration LONGEST_PAUSE = JdbcTimes.LONGEST_RECONNECT;
    private static final Duration SHORTEST_PAUSE = JdbcTimes.SHORTEST_RECONNECT;

    private final ConnectionSource source;
    private final Requests requests;
    private final Dialect dialect;
    private final Keeper keeper;
    private final Thread thread;
    private final CountDownLatch tried = new CountDownLatch(1);
    private volatile boolean heard;
    private volatile boolean closed;
    private volatile @Nullable Connection connection;
    private boolean warned;

    Listener(ConnectionSource source, Requests requests, Dialect dialect, Keeper keeper) {
        this.source = source;
        this.requests = requests;
        this.dialect = dialect;
        this.keeper = keeper;
        this.thread = new Thread(this::run, "lockkeeper-jdbc-listener");
        thread.setDaemon(true);
    }

    /** Begins to listen, and waits until it is known whether that works, for a while. */
    boolean start(Duration patience) {
        thread.start();
        boolean interrupted = false;
        Deadline until = Deadline.in(patience);
        while (true) {
            try {
                tried.await(until.left(), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return heard;
    }

    /** Whether notifications arrive now. */
    boolean isHeard() {
        return heard;
    }

    private void run() {
        Duration pause = SHORTEST_PAUSE;
        while (!closed) {
            boolean began = false;
            try {
                began = listen();
            } catch (SQLException | RuntimeException | ReflectiveOperationException e) {
                began = heard;
                warn(e.getMessage());
            } catch (Error e) {
                // An Error in one round must not end all later ones.
                began = heard;
                warn(e.toString());
            } finally {
                heard = false;
                tried.countDown();
                drop();
            }
            pause = began ? SHORTEST_PAUSE : longer(pause);
            if (!closed) {
                LockSupport.parkNanos(pause.toNanos());
            }
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    /** Listens until the connection breaks; returns false if notifications do not arrive. */
    private boolean listen() throws SQLException, ReflectiveOperationException {
        Connection own = source.open();
        connection = own;
        if (closed) {
            return true;
        }
        own.setAutoCommit(true);
        String channel = Notification.channel(keeper.id());
        try (Statement statement = own.createStatement()) {
            statement.execute("LISTEN \"" + channel + "\"");
        }
        Notifications notifications = Notifications.of(own);
        if (!isHeard(notifications)) {
            warn(
                    "LISTEN was accepted, but a notification to itself did not arrive, as behind a pooler of transactions");
            return false;
        }
        heard = true;
        warned = false;
        keeper.signalAll();
        tried.countDown();
        while (!closed) {
            List<String> payloads = notifications.await(LIVENESS_CHECK);
            for (String payload : payloads) {
                Notification.deliver(payload, keeper);
            }
            // A connection whose peer has vanished says nothing; this fails on it.
            if (payloads.isEmpty() && !own.isValid((int) LIVENESS_CHECK.toSeconds())) {
                throw new SQLException("the connection that listens is broken");
            }
        }
        return true;
    }

    private boolean isHeard(Notifications notifications) throws SQLException, ReflectiveOperationException {
        Deadline until = Deadline.in(PROBE_TIMEOUT);
        requests.run(until, other -> {
            dialect.probe(other, Notification.channel(keeper.id()));
            return true;
        });
        while (!until.hasPassed()) {
            if (notifications.await(Duration.ofMillis(until.millis())).contains(Notification.PROBE)) {
                return true;
            }
        }
        return false;
    }

    private void warn(@Nullable String why) {
        if (!warned && !closed) {
            warned = true;
            LOG.log(
                    Level.WARNING,
                    "No notifications are heard from {0}, so waiting for a lock polls: {1}",
                    source.describe(),
                    why);
        }
    }

    private void drop() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            ConnectionSource.cut(broken);
        }
    }

    @Override
    public void close() {
        closed = true;
        Connection listening = connection;
        if (listening != null) {
            ConnectionSource.cut(listening);
        }
        LockSupport.unpark(thread);
    }

    /** The notifications of a connection, by the methods of PostgreSQL's driver. */
    private record Notifications(Object connection, Method await, Method payload) {

        static Notifications of(Connection pooled) throws SQLException, ReflectiveOperationException {
            Class<?> type = type(pooled);
            Object own = pooled.unwrap(type);
            Method await = type.getMethod("getNotifications", int.class);
            Class<?> notification = await.getReturnType().getComponentType();
            return new Notifications(own, await, notification.getMethod("getParameter"));
        }

        private static Class<?> type(Connection pooled) throws ReflectiveOperationException, SQLException {
            String name = "org.postgresql.PGConnection";
            ClassLoader[] loaders = {
                pooled.getMetaData().getClass().getClassLoader(),
                pooled.getClass().getClassLoader(),
                Thread.currentThread().getContextClassLoader()
            };
            for (ClassLoader loader : loaders) {
                try {
                    return Class.forName(name, false, loader);
                } catch (ClassNotFoundException e) {
                    // The next one may have it.
                }
            }
            throw new ClassNotFoundException(name + "; notifications need PostgreSQL's own driver");
        }

        /** What came, or nothing when this time is over. */
        List<String> await(Duration timeout) throws SQLException, ReflectiveOperationException {
            Object all;
            try {
                all = await.invoke(connection, (int) Math.max(1, timeout.toMillis()));
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof SQLException cause) {
                    throw cause;
                }
                throw e;
            }
            List<String> payloads = new ArrayList<>();
            for (int i = 0; all != null && i < Array.getLength(all); i++) {
                payloads.add(String.valueOf(payload.invoke(Array.get(all, i))));
            }
            return payloads;
        }
    }
}
