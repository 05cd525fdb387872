package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Keeper;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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
 * that trusted the success would poll once a second instead of many times. Only the notification just sent counts: an older one,
 * of another keeper, may be waiting on a connection that was used before.
 *
 * <p>What was notified before LISTEN is lost, so everything is asked for again when it begins. A connection that breaks is made
 * again; meanwhile the keeper polls.
 */
final class Listener implements AutoCloseable {

    private static final Logger LOG = System.getLogger("io.lockkeeper.jdbc");
    private static final Duration PROBE_TIMEOUT = JdbcPolicy.PROBE;
    private static final Duration LIVENESS_CHECK = JdbcPolicy.LIVENESS_CHECK;
    private static final Duration LONGEST_PAUSE = JdbcPolicy.LONGEST_RECONNECT;
    private static final Duration SHORTEST_PAUSE = JdbcPolicy.SHORTEST_RECONNECT;

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
    boolean start(Duration timeout) {
        thread.start();
        boolean interrupted = false;
        Deadline until = Deadline.in(timeout);
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
            } catch (SQLException | RuntimeException e) {
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
    private boolean listen() throws SQLException {
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
        PgDriver driver = PgDriver.of(own);
        if (!isHeard(driver)) {
            dialect.behindPooler();
            warn(
                    "LISTEN was accepted, but a notification to itself did not arrive, as behind a pooler of transactions");
            return false;
        }
        heard = true;
        warned = false;
        keeper.signalAll();
        tried.countDown();
        while (!closed) {
            List<String> payloads = driver.notifications(LIVENESS_CHECK);
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

    private boolean isHeard(PgDriver driver) throws SQLException {
        Deadline until = Deadline.in(PROBE_TIMEOUT);
        String probe = Notification.probe();
        requests.run(until, other -> {
            dialect.probe(other, Notification.channel(keeper.id()), probe);
            return true;
        });
        while (!until.hasPassed()) {
            if (driver.notifications(Duration.ofMillis(until.millis())).contains(probe)) {
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
}
