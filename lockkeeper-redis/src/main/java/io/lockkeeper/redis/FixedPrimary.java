package io.lockkeeper.redis;

/** A server at a fixed address. */
final class FixedPrimary implements Primary {

    private final Pool pool;
    private final String description;

    FixedPrimary(Pool pool, String description) {
        this.pool = pool;
        this.description = description;
    }

    @Override
    public Pool pool(Deadline until) {
        return pool;
    }

    @Override
    public boolean doubt(Pool doubted, RuntimeException trouble) {
        return false;
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
