package io.lockkeeper.redis.client;

import io.lockkeeper.StoreUnavailableException;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Credentials, database and TLS settings for the connections to one server.
 *
 * @param fixed the same for each connection; null if there is no password, or if a supplier gives the credentials
 * @param supplier is called for each new connection; null if there is none
 * @param tls null for connections without TLS
 */
public record ConnectionSettings(
        @Nullable Credentials fixed,
        @Nullable Supplier<@Nullable Credentials> supplier,
        int database,
        @Nullable SSLSocketFactory tls,
        ClientName clientName) {

    public static ConnectionSettings of(@Nullable Credentials fixed, int database, @Nullable SSLSocketFactory tls) {
        return new ConnectionSettings(fixed, null, database, tls, new ClientName());
    }

    /** The same settings with credentials that a supplier gives for each connection. */
    public ConnectionSettings asking(Supplier<@Nullable Credentials> each) {
        return new ConnectionSettings(null, each, database, tls, clientName);
    }

    /**
     * The credentials for a new connection. A supplier is application code, which may call another server; so it runs on a
     * thread of its own, and the connection waits for it until the deadline.
     */
    private @Nullable Credentials credentials(Deadline until) throws SocketTimeoutException {
        Supplier<@Nullable Credentials> each = supplier;
        if (each == null) {
            return fixed;
        }
        try {
            Credentials given = TimedCall.call("credentials", each::get, until);
            if (given == null) {
                throw new RedisRefusedException(
                        "The supplier of credentials for Redis gave null; it must give a RedisCredentials");
            }
            return given;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            // The message of the cause may contain a secret.
            throw new StoreUnavailableException(
                    "The supplier of credentials for Redis failed with a "
                            + cause.getClass().getName(),
                    cause);
        }
    }

    /**
     * Logs in on a new connection, in one round trip. A wrong password or an unfit server shows here, before a request is
     * sent.
     *
     * <p>The connection stays with version 2 of the protocol, in which a connection that is not subscribed receives only replies.
     */
    void logIn(ServerConnection connection, Deadline until) throws SocketTimeoutException {
        Credentials credentials = credentials(until);
        if (credentials != null) {
            connection.send(credentials.auth());
        }
        if (database != 0) {
            connection.send(new Command("SELECT").add(database));
        }
        connection.send(Commands.ping());
        ClientName.Sent sent = clientName.send(connection);
        if (credentials != null) {
            try {
                connection.receive();
            } catch (ErrorReplyException e) {
                throw ErrorReplyException.of(credentials.hidden(String.valueOf(e.getMessage())));
            }
        }
        if (database != 0) {
            connection.receive();
        }
        connection.receive();
        clientName.readReplies(sent, connection);
    }

    @Override
    public String toString() {
        return "Access[" + (supplier == null ? fixed : "credentials by a supplier") + ", database " + database
                + (tls == null ? "]" : ", TLS]");
    }
}
