package io.lockkeeper.redis.client;

import io.lockkeeper.LockkeeperException;
import org.jspecify.annotations.Nullable;

/** The server refused a request, and will until a person changes something: a permission, the type of a key, a setting. */
public final class RedisRefusedException extends LockkeeperException {

    private static final long serialVersionUID = 1;

    RedisRefusedException(String message) {
        super(message);
    }

    RedisRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
