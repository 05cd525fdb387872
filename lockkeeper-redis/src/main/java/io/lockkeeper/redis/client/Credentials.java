package io.lockkeeper.redis.client;

import org.jspecify.annotations.Nullable;

/** A user and password for AUTH. The text form does not show the password. */
public final class Credentials {

    private final @Nullable String user;
    private final String password;

    /** @param user null for the default user */
    public Credentials(@Nullable String user, String password) {
        this.user = user;
        this.password = password;
    }

    /** The credentials that a URL has; null if neither part is given. */
    public static @Nullable Credentials orNull(@Nullable String user, @Nullable String password) {
        return user == null && password == null ? null : new Credentials(user, password == null ? "" : password);
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
        return user == null ? "default user" : user;
    }
}
