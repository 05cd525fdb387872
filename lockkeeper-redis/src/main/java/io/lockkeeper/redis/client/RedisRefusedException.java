package io.lockkeeper.redis.client;

import io.lockkeeper.LockkeeperException;
import org.jspecify.annotations.Nullable;

/** The server did not execute a request, and will not until a person mends something: a right, a key's type, a setting. */
public final class RedisRefusedException extends LockkeeperException {

    private static final long serialVersionUID = 1;

    RedisRefusedException(String message) {
        super(message);
    }

    RedisRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
