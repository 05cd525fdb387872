package io.lockkeeper.redis.jedis;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.client.BorrowedConnection;
import io.lockkeeper.redis.client.ConnectionLender;
import io.lockkeeper.redis.client.Deadline;
import io.lockkeeper.redis.client.Redis;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.util.Pool;

/** Lends the connections of a Jedis client of one server or Sentinel group. */
public final class JedisLender implements ConnectionLender {

    static final String NAME = "of the given Jedis client";

    private final Source source;

    /** Gives out connections of the client; throws an exception of Jedis if there is none. */
    private interface Source {
        JedisConnection borrow(Deadline until);
    }

    private JedisLender(Source source) {
        this.source = source;
    }

    public static JedisLender of(ConnectionProvider provider) {
        return new JedisLender(until -> JedisConnection.over(provider.getConnection(), until));
    }

    public static JedisLender of(Pool<Jedis> pool) {
        return new JedisLender(until -> JedisConnection.over(pool.getResource(), until));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public BorrowedConnection borrow(Deadline until) {
        return lend(() -> source.borrow(until));
    }

    @Override
    public Redis.Subscription subscribe(byte[] channel, Redis.Listener listener) {
        return JedisSubscription.open(until -> lend(() -> source.borrow(until)), channel, listener);
    }

    static JedisConnection lend(Supplier<Connection> connection, Deadline until) {
        return lend(() -> JedisConnection.over(connection.get(), until));
    }

    private static JedisConnection lend(Supplier<JedisConnection> borrowed) {
        try {
            return borrowed.get();
        } catch (RuntimeException e) {
            Throwable inner = e.getCause() == null ? e : e.getCause();
            throw new StoreUnavailableException(
                    "The given Jedis client has no connection for a lock's request (" + e.getMessage()
                            + (inner == e ? "" : ": " + inner.getMessage())
                            + "); nothing was sent; check that the server runs and that the client's pool is large enough",
                    e);
        }
    }
}
