package io.lockkeeper.redis;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A user and password of Redis, or a token in place of the password. Its text form does not show the password.
 *
 * @see RedisBackendBuilder#credentials(Supplier)
 */
public final class RedisCredentials {

    private final @Nullable String user;
    private final String password;

    private RedisCredentials(@Nullable String user, String password) {
        this.user = user;
        this.password = requireNonNull(password, "password must not be null");
    }

    /** A user of the server's access control list. */
    public static RedisCredentials of(String user, String password) {
        return new RedisCredentials(requireNonNull(user, "user must not be null"), password);
    }

    /** The password of the default user. */
    public static RedisCredentials ofPassword(String password) {
        return new RedisCredentials(null, password);
    }

    /** As a URL has them: null if neither is given. */
    static @Nullable RedisCredentials orNull(@Nullable String user, @Nullable String password) {
        return user == null && password == null ? null : new RedisCredentials(user, password == null ? "" : password);
    }

    Command auth() {
        Command auth = new Command("AUTH");
        if (user != null) {
            auth.add(user);
        }
        return auth.add(password);
    }

    /** A text without the password in it: some servers repeat the arguments of a command that they do not know. */
    String hidden(String text) {
        return password.isEmpty() ? text : text.replace(password, "***");
    }

    @Override
    public String toString() {
        return "RedisCredentials[" + (user == null ? "default user" : user) + "]";
    }
}
