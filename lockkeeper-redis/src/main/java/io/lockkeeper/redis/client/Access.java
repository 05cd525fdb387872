package io.lockkeeper.redis.client;

import io.lockkeeper.StoreUnavailableException;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * How a server is entered.
 *
 * @param fixed null if no password is asked for, or if it is asked for each time
 * @param supplier is asked for each connection; null if there is none
 * @param tls null for a connection in the clear
 */
public record Access(
        @Nullable Credentials fixed,
        @Nullable Supplier<@Nullable Credentials> supplier,
        int database,
        @Nullable SSLSocketFactory tls,
        Introduction introduction) {

    public static Access of(@Nullable Credentials fixed, int database, @Nullable SSLSocketFactory tls) {
        return new Access(fixed, null, database, tls, new Introduction());
    }

    /** The same with credentials that are asked for. */
    public Access asking(Supplier<@Nullable Credentials> each) {
        return new Access(null, each, database, tls, introduction);
    }

    /**
     * The credentials for a new connection. A supplier is code of the application, which may ask another server for them; so it
     * gets a thread, and is waited for until the deadline.
     */
    private @Nullable Credentials credentials(Deadline until) throws SocketTimeoutException {
        Supplier<@Nullable Credentials> each = supplier;
        if (each == null) {
            return fixed;
        }
        try {
            Credentials given = Aside.call("credentials", each::get, until);
            if (given == null) {
                throw new RedisRefusal(
                        "The supplier of credentials for Redis gave null; it must give a RedisCredentials");
            }
            return given;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            // Its message may have a secret in it.
            throw new StoreUnavailableException(
                    "The supplier of credentials for Redis failed with a "
                            + cause.getClass().getName(),
                    cause);
        }
    }

    /**
     * Logs in on a new connection, in one round trip. Whatever is wrong with the server or with us comes to light here, before
     * anything is asked of it.
     *
     * <p>The connection stays with version 2 of the protocol, in which nothing but replies comes on a connection that asks.
     */
    void logIn(Line line, Deadline until) throws SocketTimeoutException {
        Credentials credentials = credentials(until);
        if (credentials != null) {
            line.send(credentials.auth());
        }
        if (database != 0) {
            line.send(new Command("SELECT").add(database));
        }
        line.send(Commands.ping());
        Introduction.Saying saying = introduction.say(line);
        if (credentials != null) {
            try {
                line.receive();
            } catch (ErrorReplyException e) {
                throw ErrorReplyException.of(credentials.hidden(String.valueOf(e.getMessage())));
            }
        }
        if (database != 0) {
            line.receive();
        }
        line.receive();
        introduction.said(saying, line);
    }

    @Override
    public String toString() {
        return "Access[" + (supplier == null ? fixed : "credentials by a supplier") + ", database " + database
                + (tls == null ? "]" : ", TLS]");
    }
}
