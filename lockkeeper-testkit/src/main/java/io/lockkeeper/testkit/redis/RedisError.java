package io.lockkeeper.testkit.redis;

/** An error that a server answered with. */
public final class RedisError extends RuntimeException {

    private static final long serialVersionUID = 1;

    RedisError(String message) {
        super(message);
    }
}
