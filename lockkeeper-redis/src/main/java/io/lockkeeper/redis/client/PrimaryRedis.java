package io.lockkeeper.redis.client;

import static java.util.Objects.requireNonNull;

import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All keys on one primary: a single server, or the primary of a Sentinel group. */
final class PrimaryRedis implements Redis {

    private final Primary primary;
    private final PrimaryUptime primaryUptime = new PrimaryUptime();

    PrimaryRedis(Primary primary) {
        this.primary = primary;
    }

    @Override
    public @Nullable Object run(Call call, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        while (true) {
            ConnectionPool pool = primary.pool(until);
            try {
                return pool.run(call, until);
            } catch (StoreUnavailableException unsent) {
                if (!primary.doubt(pool, unsent) || until.hasPassed()) {
                    throw unsent;
                }
            } catch (RequestException e) {
                if (!primary.doubt(pool, e) || !RedisErrors.isReadOnly(e) || until.hasPassed()) {
                    throw RedisErrors.asking(pool.server(), e);
                }
            }
        }
    }

    @Override
    public Replicated run(Call call, int replicas, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        return (Replicated)
                requireNonNull(ask(until, connection -> ScriptRunner.run(connection, call, replicas, false, until)));
    }

    /** What is asked over one connection. */
    private interface Question {
        @Nullable
        Object over(SocketConnection connection);
    }

    private @Nullable Object ask(Deadline until, Question question) {
        while (true) {
            ConnectionPool pool = primary.pool(until);
            SocketConnection connection = takeOrNull(pool, until, false);
            if (connection == null) {
                continue;
            }
            try {
                return question.over(connection);
            } catch (RequestException e) {
                boolean elsewhere = primary.doubt(pool, e);
                if (RedisErrors.isReadOnly(e)) {
                    connection.close();
                    if (elsewhere && !until.hasPassed()) {
                        continue;
                    }
                }
                throw RedisErrors.asking(pool.server(), e);
            } finally {
                pool.give(connection);
            }
        }
    }

    /** A connection; null if there is none and the primary may be elsewhere by now. */
    private @Nullable SocketConnection takeOrNull(ConnectionPool pool, Deadline until, boolean urgent) {
        try {
            return urgent ? pool.takeFirst(until) : pool.take(until);
        } catch (StoreUnavailableException unsent) {
            if (primary.doubt(pool, unsent) && !until.hasPassed()) {
                return null;
            }
            throw unsent;
        }
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration timeout) {
        return runAll(calls, false, Deadline.in(timeout));
    }

    @Override
    public List<@Nullable Object> runFirst(List<Call> calls, Duration timeout) {
        return runAll(calls, true, Deadline.in(timeout));
    }

    private List<@Nullable Object> runAll(List<Call> calls, boolean urgent, Deadline until) {
        ConnectionPool pool;
        @Nullable Object[] outcomes;
        try {
            SocketConnection connection;
            do {
                pool = primary.pool(until);
                connection = takeOrNull(pool, until, urgent);
            } while (connection == null);
            try {
                outcomes = ScriptRunner.runAll(connection, calls);
            } finally {
                pool.give(connection);
            }
        } catch (RuntimeException unsent) {
            return Collections.nCopies(calls.size(), unsent);
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof RequestException e) {
                primary.doubt(pool, e);
                outcomes[i] = RedisErrors.asking(pool.server(), e);
            }
        }
        return Arrays.asList(outcomes);
    }

    @Override
    public String node(byte[] key) {
        return "";
    }

    @Override
    public boolean mixesKeys() {
        return true;
    }

    @Override
    public boolean countsListeners() {
        return true;
    }

    @Override
    public List<byte[]> scan(byte[] pattern, Duration timeout) {
        List<byte[]> keys = new ArrayList<>();
        ask(Deadline.in(timeout), connection -> ServerCommands.scan(connection, pattern, keys));
        return keys;
    }

    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return ChannelSubscription.open(channel, listener, new ChannelSubscription.Connector() {
            @Override
            public SocketConnection open(Deadline until) {
                ConnectionPool pool = primary.pool(until);
                try {
                    return SocketConnection.open(pool.server(), pool.access(), until);
                } catch (StoreUnavailableException e) {
                    primary.doubt(pool, e);
                    throw e;
                }
            }

            @Override
            public boolean isCurrent(SocketConnection connection, Deadline until) {
                return primary.isStill(connection.server(), until);
            }
        });
    }

    @Override
    public Duration uptime(Duration timeout) {
        return (Duration) requireNonNull(ask(
                Deadline.in(timeout),
                connection -> primaryUptime.of(ServerCommands.info(connection, "server", "replication"))));
    }

    @Override
    public List<ServerInfo> check(Duration timeout) {
        return List.of((ServerInfo) requireNonNull(ask(
                Deadline.in(timeout), connection -> ServerRequirements.check(connection, connection.server(), false))));
    }

    @Override
    public void nameConnections(String keeper) {
        primary.access().clientName().set(keeper);
    }

    @Override
    public String describe() {
        return primary.describe();
    }

    @Override
    public void close() {
        primary.close();
    }
}
