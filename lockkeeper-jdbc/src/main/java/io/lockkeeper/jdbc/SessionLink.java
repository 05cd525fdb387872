package io.lockkeeper.jdbc;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Moment;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a keeper that talks to the server about session locks, on one connection, one request after the other.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>Requests take effect in the order of their calls, so that the release of a claim comes after its attempt, also if the caller
 *       of the attempt has given up. One that was given up before it began never begins.
 *   <li>A caller waits no longer than its timeout, whatever the driver or the pool does. The connection outlasts that: a server
 *       that is slow for a second must not cost a thousand locks. It is given up when nothing was heard for the session's timeout, or
 *       as soon as it is broken; then the session ends and all holders are told, before anything else is done.
 *   <li>A new connection is a new session, which begins with no locks. Nothing of the old one is taken over: the server may
 *       have given it to others.
 * </ul>
 *
 * <p>What would break it: a thread of the application that uses the connection itself. An interrupt would close the socket of a virtual
 * thread, and with it all locks; and a timeout per statement would close it when the server is slow once.
 */
final class SessionLink implements AutoCloseable {

    /** What is done with the session, on the thread of this object. */
    interface Work<T> {
        T in(LockSession session) throws SQLException;
    }

    /** What is done with the session if there is one. */
    interface WorkIfOpen<T> {
        T in(@Nullable LockSession session) throws SQLException;
    }

    private final ConnectionSource source;
    private final Keeper keeper;
    private final BlockingQueue<Request<?>> requests = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile @Nullable LockSession current;
    private volatile boolean reachable = true;
    private volatile boolean closed;
    /** Only the thread uses it. */
    private boolean wasOpen;

    SessionLink(ConnectionSource source, Keeper keeper) {
        this.source = source;
        this.keeper = keeper;
        this.thread = new Thread(this::run, "lockkeeper-jdbc-session");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Does it in the session; opens one first if there is none. */
    <T> T call(Duration timeout, Work<T> work) {
        return ask(new Request<>(Deadline.in(timeout), session -> work.in(session == null ? open() : session)));
    }

    /** Does it in the session, or without one if there is none. */
    <T> T callIfOpen(Duration timeout, WorkIfOpen<T> work) {
        return ask(new Request<>(Deadline.in(timeout), work));
    }

    /** Whether the server answered when it was last needed. */
    boolean isReachable() {
        return reachable;
    }

    private <T> T ask(Request<T> request) {
        requests.add(request);
        // The thread may have ended before it saw the request.
        if (closed && requests.remove(request)) {
            throw closedException();
        }
        return request.await();
    }

    private StoreUnavailableException closedException() {
        return new StoreUnavailableException("The store " + source.describe() + " is closed");
    }

    /** One request. Either its caller gives it up or the thread begins it, whichever comes first. */
    private final class Request<T> {
        private final Deadline until;
        private final WorkIfOpen<T> work;
        private final AtomicBoolean taken = new AtomicBoolean();
        private final CompletableFuture<T> answer = new CompletableFuture<>();

        Request(Deadline until, WorkIfOpen<T> work) {
            this.until = until;
            this.work = work;
        }

        void execute() {
            if (!taken.compareAndSet(false, true)) {
                return;
            }
            try {
                answer.complete(result());
            } catch (SQLException e) {
                answer.completeExceptionally(explained(e));
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        }

        /** A request whose connection breaks is done once more: what it did ends with the connection. */
        private T result() throws SQLException {
            boolean again = false;
            while (true) {
                LockSession before = usable();
                try {
                    T result = work.in(before);
                    reachable |= before != null;
                    return result;
                } catch (SQLException | RuntimeException e) {
                    LockSession broken = current;
                    if (broken == null || (e instanceof SQLException problem && broken.isAnswer(problem))) {
                        // It was not opened, or it goes on.
                        throw e;
                    }
                    lose(broken);
                    if (again || until.hasPassed()) {
                        throw e;
                    }
                    again = true;
                }
            }
        }

        void refuse() {
            taken.set(true);
            answer.completeExceptionally(closedException());
        }

        T await() {
            boolean interrupted = Thread.interrupted();
            try {
                while (true) {
                    try {
                        return answer.get(Math.max(0, until.left()), TimeUnit.NANOSECONDS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    } catch (TimeoutException e) {
                        taken.set(true);
                        doubt();
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
    }

    private void doubt() {
        reachable = false;
        LockSession session = current;
        if (session != null) {
            session.session().doubt();
        }
    }

    private RuntimeException failure(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException e
                ? e
                : new StoreUnavailableException("The request to " + source.describe() + " failed", cause);
    }

    private LockkeeperException explained(SQLException e) {
        return new StoreUnavailableException("The database " + source.describe() + " failed: " + e.getMessage(), e);
    }

    // ---- the thread

    private void run() {
        while (!closed) {
            try {
                LockSession session = current;
                Request<?> next = session == null
                        ? requests.take()
                        : requests.poll(Math.max(0, session.untilContact()), TimeUnit.NANOSECONDS);
                if (next != null) {
                    next.execute();
                }
                contact();
            } catch (InterruptedException e) {
                // Nobody has a reason to; the end of the thread is the flag.
            }
        }
        for (Request<?> next = requests.poll(); next != null; next = requests.poll()) {
            next.refuse();
        }
        LockSession session = current;
        current = null;
        if (session != null) {
            session.close();
        }
    }

    /** A contact if one is due. */
    private void contact() {
        LockSession session = usable();
        if (session == null || session.untilContact() > 0) {
            return;
        }
        try {
            session.contact();
            reachable = true;
        } catch (SQLException | RuntimeException | Error e) {
            // An Error must not end the thread: nobody would notice the end of the connection any more.
            lose(session);
        }
    }

    /** The session, if it goes on. One that is over is given up: holders were told by the keeper's own clock. */
    private @Nullable LockSession usable() {
        LockSession session = current;
        if (session != null && session.isOver()) {
            current = null;
            ConnectionSource.cut(session.connection());
            return null;
        }
        return session;
    }

    private LockSession open() throws SQLException {
        boolean opened = false;
        reachable = false;
        Connection connection = source.open();
        try {
            connection.setAutoCommit(true);
            limit(connection, JdbcPolicy.OPENING);
            Moment openedAt = keeper.clocks().now();
            SessionSql sql = SessionSql.on(connection, source, keeper);
            LockSession session = new LockSession(connection, sql, keeper, openedAt);
            limit(connection, keeper.lease());
            current = session;
            opened = true;
            reachable = true;
            if (wasOpen) {
                // Waiters need not wait for the end of the pause that they make during an outage.
                keeper.signalAll();
            }
            wasOpen = true;
            return session;
        } finally {
            if (!opened) {
                ConnectionSource.cut(connection);
            }
        }
    }

    /** No statement waits for longer than the session can last. */
    private static void limit(Connection connection, Duration timeout) throws SQLException {
        try {
            connection.setNetworkTimeout(
                    Runnable::run, (int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis())));
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            // The session ends by the keeper's clock, and its connection when the keeper is closed.
        }
    }

    /** The connection is broken: the server has freed all its locks, or will when it notices. */
    private void lose(LockSession session) {
        reachable = false;
        if (current == session) {
            current = null;
        }
        boolean wasOver = session.isOver();
        if (!wasOver) {
            session.session().end();
        }
        ConnectionSource.cut(session.connection());
        if (!wasOver) {
            keeper.signalAll();
        }
    }

    @Override
    public void close() {
        closed = true;
        // Wakes the thread.
        requests.add(new Request<>(Deadline.in(Duration.ZERO), session -> true));
        Deadline until = Deadline.in(JdbcPolicy.SESSION_CLOSING);
        boolean interrupted = Thread.interrupted();
        while (thread.isAlive() && !until.hasPassed()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, until.left()));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        LockSession stuck = current;
        if (stuck != null) {
            stuck.session().end();
            ConnectionSource.cut(stuck.connection());
        }
    }
}
