package io.lockkeeper.jdbc;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the database, each with a connection of its own for as long as it takes.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li><b>Every request ends in time</b>, whatever the driver or the pool does. A pool that has no connection left may block for
 *       half a minute, and no timeout of JDBC ends that. So a request runs on a thread of this class, and its caller stops
 *       waiting; the request goes on and gives back what it gets. Only with a connection that is at hand, to a server whose
 *       driver has network timeouts, the caller's own thread does it.
 *   <li><b>A connection that may owe an answer is never used again</b>, whatever was thrown, an {@link Error} included. Otherwise
 *       a later request would read the answer of an earlier one, and take it for its own.
 *   <li><b>An interrupt of the caller breaks nothing</b>: it reaches no driver while a thread of this class runs the request. The
 *       JDK closes the socket on which an interrupted virtual thread waits, and a pool that is interrupted gives no connection.
 *   <li><b>A bounded number of requests at a time</b>, in the order in which they came, so that hundreds of threads do not ask a
 *       pool of two connections all at once. Renewals have a place of their own, so that they wait for no caller.
 * </ul>
 */
final class Requests implements AutoCloseable {

    /** How many requests of callers are made at a time, unless it is set otherwise. */
    static final int DEFAULT_CONNECTIONS = 8;

    private static final long SHORTEST_PAUSE = JdbcPolicy.SHORTEST_PAUSE.toNanos();
    private static final long LONGEST_PAUSE = JdbcPolicy.LONGEST_PAUSE.toNanos();

    /** What a request does with its connection. It may be done again if the database says that it was not executed. */
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private final ConnectionSource source;
    /** Null until it is known which database this is: then nothing but its name can be asked. */
    private final @Nullable Dialect dialect;

    private final Semaphore places;
    private final Semaphore renewalPlace = new Semaphore(1, true);
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "lockkeeper-jdbc");
                thread.setDaemon(true);
                return thread;
            });

    Requests(ConnectionSource source, @Nullable Dialect dialect, int connections) {
        this.source = source;
        this.dialect = dialect;
        this.places = new Semaphore(connections, true);
    }

    /** A request of a caller. */
    <T> T run(Deadline until, Work<T> work) {
        return run(places, until, work);
    }

    /** A request that renews grants. */
    <T> T renew(Deadline until, Work<T> work) {
        return run(renewalPlace, until, work);
    }

    private <T> T run(Semaphore place, Deadline until, Work<T> work) {
        if (!acquire(place, until)) {
            throw new StoreUnavailableException("No connection to " + source.describe()
                    + " was free in time; other requests took them all, so look at the pool and at the database");
        }
        boolean handedOver = false;
        try {
            Connection idle = hasNetworkTimeout() && !isVirtual() ? source.idle() : null;
            if (idle != null) {
                return execute(idle, until, work, new AtomicBoolean());
            }
            Request<T> request = new Request<>(until, work, place);
            threads.execute(request.task);
            handedOver = true;
            return request.await();
        } catch (SQLException e) {
            throw explained(e);
        } catch (RejectedExecutionException e) {
            throw new StoreUnavailableException("The store " + source.describe() + " is closed", e);
        } finally {
            if (!handedOver) {
                place.release();
            }
        }
    }

    /** A request on a thread of its own. Its place is free again when it has ended, which may be later than its caller waits. */
    private final class Request<T> {
        private final Deadline until;
        private final FutureTask<T> task;
        private final AtomicBoolean settled = new AtomicBoolean();
        private volatile @Nullable Connection used;

        Request(Deadline until, Work<T> work, Semaphore place) {
            this.until = until;
            this.task = new FutureTask<>(() -> {
                try {
                    Connection connection = source.open();
                    used = connection;
                    if (until.hasPassed()) {
                        // Its caller has given it up: executed now, it would come later than anybody reckons with.
                        end(connection, true, settled);
                        throw new SQLException("A connection was free only when the time was over");
                    }
                    return execute(connection, until, work, settled);
                } finally {
                    place.release();
                }
            });
        }

        T await() {
            boolean interrupted = Thread.interrupted();
            try {
                while (true) {
                    try {
                        return task.get(until.left(), TimeUnit.NANOSECONDS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    } catch (TimeoutException e) {
                        abandon();
                        throw new StoreUnavailableException(
                                "The database " + source.describe() + " did not answer in time", e);
                    } catch (ExecutionException e) {
                        throw failure(e.getCause() == null ? e : e.getCause());
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /**
         * Nobody waits any more: what still runs is cut off, so that it does not run for long. If it has just ended, its
         * connection may be another request's by now, so either the request or its caller settles what becomes of it.
         */
        private void abandon() {
            Connection connection = used;
            if (connection != null && hasNetworkTimeout() && settled.compareAndSet(false, true)) {
                ConnectionSource.cut(connection);
            }
        }
    }

    private <T> T execute(Connection connection, Deadline until, Work<T> work, AtomicBoolean settled)
            throws SQLException {
        boolean clean = false;
        try {
            LentConnection lent = LentConnection.of(connection, dialect, until);
            try {
                T result = repeated(connection, until, work);
                lent.restore();
                clean = true;
                return result;
            } catch (SQLException e) {
                if (SqlProblem.of(e).isAnswer()) {
                    lent.restore();
                    clean = true;
                }
                throw e;
            }
        } finally {
            end(connection, clean, settled);
        }
    }

    /**
     * Ends the use of a connection. It is given back if it is clean and its caller has not cut it off: a caller that did would cut
     * off the next user, too.
     */
    private void end(Connection connection, boolean clean, AtomicBoolean settled) {
        if (settled.compareAndSet(false, true) && clean) {
            source.giveBack(connection);
        } else {
            source.discard(connection);
        }
    }

    private boolean hasNetworkTimeout() {
        return dialect != null && dialect.hasNetworkTimeout();
    }

    /** Does the work again while the database says that another request was in the way. */
    private static <T> T repeated(Connection connection, Deadline until, Work<T> work) throws SQLException {
        long pause = SHORTEST_PAUSE;
        while (true) {
            try {
                return work.on(connection);
            } catch (SQLException e) {
                if (SqlProblem.of(e) != SqlProblem.CONFLICT || until.left() <= pause) {
                    throw e;
                }
                pause(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
        }
    }

    /** Waits for a random part of this time, so that those who collided do not collide again. */
    static void pause(long nanos) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(nanos / 2, nanos + 1));
    }

    private RuntimeException failure(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof SQLException e) {
            return explained(e);
        }
        return cause instanceof RuntimeException e
                ? e
                : new StoreUnavailableException("The request to " + source.describe() + " failed", cause);
    }

    private LockkeeperException explained(SQLException e) {
        String where = source.describe();
        return switch (SqlProblem.of(e)) {
            case RIGHT ->
                new UnfitDatabaseException(
                        "The user of " + where + " lacks a right (" + e.getMessage()
                                + "); grant it SELECT, INSERT, UPDATE and DELETE on the tables of Lockkeeper"
                                + (dialect == null
                                        ? ""
                                        : ", which io/lockkeeper/jdbc/" + dialect.script() + " of the jar makes"),
                        e);
            case TABLE ->
                new StoreUnavailableException(
                        "A table of Lockkeeper is missing in " + where + ", or has other columns (" + e.getMessage()
                                + "); run io/lockkeeper/jdbc/" + (dialect == null ? "" : dialect.script())
                                + " of the jar, or let createTables() do it",
                        e);
            case READ_ONLY ->
                new StoreUnavailableException(
                        "The database " + where + " accepts no writes (" + e.getMessage()
                                + "); connect to one that does",
                        e);
            case CONFLICT ->
                new StoreUnavailableException(
                        "Other requests were in the way at " + where + " until the time was over (" + e.getMessage()
                                + ")",
                        e);
            default -> new StoreUnavailableException("The database " + where + " failed: " + e.getMessage(), e);
        };
    }

    private static boolean acquire(Semaphore place, Deadline until) {
        if (place.tryAcquire()) {
            return true;
        }
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return place.tryAcquire(until.left(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The JDK of this library's release has no virtual threads, so it cannot ask for them. */
    private static boolean isVirtual() {
        return Thread.currentThread().getClass().getName().contains("VirtualThread");
    }

    /** Runs something that nobody waits for. */
    void inBackground(Runnable task) {
        threads.execute(task);
    }

    @Override
    public void close() {
        threads.shutdown();
        source.close();
    }
}
