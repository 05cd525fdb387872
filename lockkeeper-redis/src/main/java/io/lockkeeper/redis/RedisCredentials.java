package io.lockkeeper.redis;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.redis.client.Credentials;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A user and password of Redis, or a token in place of the password. Its text form does not show the password.
 *
 * @see RedisBackendBuilder#credentials(Supplier)
 */
public final class RedisCredentials {

    private final Credentials credentials;

    private RedisCredentials(@Nullable String user, String password) {
        this.credentials = new Credentials(user, given(password, "password"));
    }

    /** A user of the server's access control list. */
    public static RedisCredentials of(String user, String password) {
        return new RedisCredentials(given(user, "user"), password);
    }

    /** The password of the default user. */
    public static RedisCredentials ofPassword(String password) {
        return new RedisCredentials(null, password);
    }

    /** What the client logs in with; null for null, which a supplier must not give, and the client says so. */
    static @Nullable Credentials forClient(@Nullable RedisCredentials given) {
        return given == null ? null : given.credentials;
    }

    @Override
    public String toString() {
        return "RedisCredentials[" + credentials + "]";
    }
}
