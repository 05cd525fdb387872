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
    private final Tenancy tenancy = new Tenancy();

    PrimaryRedis(Primary primary) {
        this.primary = primary;
    }

    @Override
    public @Nullable Object run(Call call, Duration limit) {
        Deadline until = Deadline.in(limit);
        while (true) {
            Pool pool = primary.pool(until);
            try {
                return pool.run(call, until);
            } catch (StoreUnavailableException unsent) {
                if (!primary.doubt(pool, unsent) || until.hasPassed()) {
                    throw unsent;
                }
            } catch (ExchangeException e) {
                if (!primary.doubt(pool, e) || !Trouble.isReadOnly(e) || until.hasPassed()) {
                    throw Trouble.asking(pool.server(), e);
                }
            }
        }
    }

    @Override
    public Replicated run(Call call, int replicas, Duration limit) {
        Deadline until = Deadline.in(limit);
        return (Replicated) requireNonNull(ask(until, wire -> Exchange.run(wire, call, replicas, false, until)));
    }

    /** What is asked over one connection. */
    private interface Question {
        @Nullable
        Object over(Wire wire);
    }

    private @Nullable Object ask(Deadline until, Question question) {
        while (true) {
            Pool pool = primary.pool(until);
            Wire wire = takeOrNull(pool, until, false);
            if (wire == null) {
                continue;
            }
            try {
                return question.over(wire);
            } catch (ExchangeException e) {
                boolean elsewhere = primary.doubt(pool, e);
                if (Trouble.isReadOnly(e)) {
                    wire.close();
                    if (elsewhere && !until.hasPassed()) {
                        continue;
                    }
                }
                throw Trouble.asking(pool.server(), e);
            } finally {
                pool.give(wire);
            }
        }
    }

    /** A connection; null if there is none and the primary may be elsewhere by now. */
    private @Nullable Wire takeOrNull(Pool pool, Deadline until, boolean urgent) {
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
    public List<@Nullable Object> runAll(List<Call> calls, Duration limit) {
        return runAll(calls, false, Deadline.in(limit));
    }

    @Override
    public List<@Nullable Object> runFirst(List<Call> calls, Duration limit) {
        return runAll(calls, true, Deadline.in(limit));
    }

    private List<@Nullable Object> runAll(List<Call> calls, boolean urgent, Deadline until) {
        Pool pool;
        @Nullable Object[] outcomes;
        try {
            Wire wire;
            do {
                pool = primary.pool(until);
                wire = takeOrNull(pool, until, urgent);
            } while (wire == null);
            try {
                outcomes = Exchange.runAll(wire, calls);
            } finally {
                pool.give(wire);
            }
        } catch (RuntimeException unsent) {
            return Collections.nCopies(calls.size(), unsent);
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof ExchangeException e) {
                primary.doubt(pool, e);
                outcomes[i] = Trouble.asking(pool.server(), e);
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
    public List<byte[]> scan(byte[] pattern, Duration limit) {
        List<byte[]> keys = new ArrayList<>();
        ask(Deadline.in(limit), wire -> Server.scan(wire, pattern, keys));
        return keys;
    }

    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return Ear.open(channel, listener, new Ear.Dial() {
            @Override
            public Wire open(Deadline until) {
                Pool pool = primary.pool(until);
                try {
                    return Wire.open(pool.server(), pool.access(), until);
                } catch (StoreUnavailableException e) {
                    primary.doubt(pool, e);
                    throw e;
                }
            }

            @Override
            public boolean isRight(Wire wire, Deadline until) {
                return primary.isStill(wire.server(), until);
            }
        });
    }

    @Override
    public Duration uptime(Duration limit) {
        return (Duration)
                requireNonNull(ask(Deadline.in(limit), wire -> tenancy.of(Server.info(wire, "server", "replication"))));
    }

    @Override
    public List<ServerInfo> check(Duration limit) {
        return List.of((ServerInfo)
                requireNonNull(ask(Deadline.in(limit), wire -> ServerRequirements.check(wire, wire.server(), false))));
    }

    @Override
    public void introduce(String keeper) {
        primary.access().introduction().keeper(keeper);
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
