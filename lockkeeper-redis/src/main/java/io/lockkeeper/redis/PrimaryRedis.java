package io.lockkeeper.redis;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/** All keys on one primary: a single server, or the primary of a Sentinel group. */
final class PrimaryRedis implements Redis {

    private final Primary primary;
    private final Tenancy tenancy = new Tenancy();

    PrimaryRedis(Primary primary) {
        this.primary = primary;
    }

    @Override
    public @Nullable Object run(Call call, Duration limit) {
        return ask(Deadline.in(limit), wire -> Exchange.run(wire, call));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration limit) {
        Deadline until = Deadline.in(limit);
        return (Replicated) requireNonNull(ask(until, wire -> Exchange.run(wire, call, replicas, until)));
    }

    /** What is asked over one connection. */
    private interface Question {
        @Nullable
        Object over(Wire wire);
    }

    private @Nullable Object ask(Deadline until, Question question) {
        Pool pool = primary.pool(until);
        Wire wire = pool.take(until);
        try {
            return question.over(wire);
        } catch (JedisException e) {
            primary.doubt(pool, e);
            throw Trouble.asking(pool.server(), e);
        } finally {
            pool.give(wire);
        }
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration limit) {
        Deadline until = Deadline.in(limit);
        Pool pool;
        @Nullable Object[] outcomes;
        try {
            pool = primary.pool(until);
            Wire wire = pool.take(until);
            try {
                outcomes = Exchange.runAll(wire, calls);
            } finally {
                pool.give(wire);
            }
        } catch (RuntimeException unsent) {
            return Collections.nCopies(calls.size(), unsent);
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof JedisException e) {
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
        return Ear.open(channel, listener, until -> {
            Pool pool = primary.pool(until);
            return Wire.open(pool.server(), pool.access(), until);
        });
    }

    @Override
    public Duration uptime(Duration limit) {
        return (Duration) requireNonNull(ask(Deadline.in(limit), wire -> tenancy.of(Server.info(wire))));
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
