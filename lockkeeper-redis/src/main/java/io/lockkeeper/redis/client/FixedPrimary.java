package io.lockkeeper.redis.client;

/** A server at a fixed address. */
final class FixedPrimary implements Primary {

    private final ConnectionPool pool;
    private final String description;

    FixedPrimary(ConnectionPool pool, String description) {
        this.pool = pool;
        this.description = description;
    }

    @Override
    public ConnectionPool pool(Deadline until) {
        return pool;
    }

    @Override
    public boolean doubt(ConnectionPool doubted, RuntimeException trouble) {
        if (RedisErrors.isReadOnly(trouble)) {
            // The address may lead to another server now.
            pool.forget();
        }
        return false;
    }

    @Override
    public boolean isStill(Address server, Deadline until) {
        return true;
    }

    @Override
    public ConnectionSettings access() {
        return pool.access();
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public void close() {
        pool.close();
    }
}
