package io.lockkeeper.redis.client;

import io.lockkeeper.redis.client.Redis.Listener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to a channel: one connection and one thread that keep themselves alive.
 *
 * <p>Invariant: the subscription does not consider itself active for long when it is not. Silence on a channel is normal, so a
 * connection that died silently (a cut cable, a server that is gone) would look alive; therefore it sends a PING every few
 * seconds and expects an answer. After each new subscription the listener is told, since messages published in between are
 * lost.
 */
final class ChannelSubscription implements Redis.Subscription, Runnable {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    /** Opens the connections to subscribe on. */
    interface Connector {
        /** Opens a connection to subscribe on. */
        SocketConnection open(Deadline until);

        /** Whether the server of a connection is still the one to subscribe to. */
        boolean isCurrent(SocketConnection current, Deadline until);
    }

    private final byte[] channel;
    private final Listener listener;
    private final Connector connector;
    private final Thread thread;

    /** For the subscription's thread only. */
    private boolean warned;

    private volatile boolean closed;
    private volatile boolean active;
    private volatile @Nullable SocketConnection current;

    private ChannelSubscription(byte[] channel, Listener listener, Connector connector) {
        this.channel = channel;
        this.listener = listener;
        this.connector = connector;
        this.thread = new Thread(this, "lockkeeper-redis-signals");
        thread.setDaemon(true);
    }

    static ChannelSubscription open(byte[] channel, Listener listener, Connector connector) {
        ChannelSubscription ear = new ChannelSubscription(channel, listener, connector);
        ear.thread.start();
        return ear;
    }

    @Override
    public boolean isActive() {
        return active;
    }

    /** Runs until the subscription is closed; no failure ends it, since nothing would start it again. */
    @Override
    public void run() {
        SubscriptionBackoff backoff = new SubscriptionBackoff();
        while (!closed) {
            try {
                boolean heard = listenOnce();
                if (!closed) {
                    LockSupport.parkNanos(backoff.next(heard));
                }
            } catch (Throwable unthoughtOf) {
                // Even the report failed, perhaps for lack of memory. Only wait.
                LockSupport.parkNanos(ClientPolicy.LONGEST_SUBSCRIPTION_PAUSE.toNanos());
            }
        }
    }

    /** Listens on one connection until it breaks; returns whether the subscription was acknowledged. */
    private boolean listenOnce() {
        try {
            return listen();
        } catch (Exception | Error e) {
            boolean heard = active;
            if (!closed) {
                tell(e);
            }
            return heard;
        } finally {
            active = false;
            hangUp();
        }
    }

    /** A broken connection is replaced silently; a refusal is reported, since a person has to act. */
    private void tell(Throwable e) {
        SocketConnection connection = current;
        Throwable told = e instanceof ErrorReplyException refused && connection != null
                ? RedisErrors.refused(connection.server(), refused)
                : e;
        if (told instanceof RedisRefusedException refusal && !warned) {
            warned = true;
            listener.refused(refusal);
        } else {
            LOG.log(told instanceof Error ? Level.WARNING : Level.DEBUG, "The subscription broke and is renewed", told);
        }
    }

    private boolean listen() throws IOException {
        SocketConnection connection = connector.open(Deadline.in(ClientPolicy.SUBSCRIPTION_ANSWER));
        current = connection;
        connection.listen();
        send(connection, new Command("SUBSCRIBE").add(channel));
        Deadline answer = Deadline.in(ClientPolicy.SUBSCRIPTION_ANSWER);
        Deadline ask = new Deadline(Deadline.now() + ClientPolicy.SUBSCRIPTION_PING.toNanos());
        boolean asked = true;
        while (!closed) {
            Object said = ask.hasPassed() ? ReplyReader.NOT_YET : heard(connection, asked ? answer : ask);
            if (said != ReplyReader.NOT_YET) {
                hear(said);
                asked = false;
            } else if (asked) {
                throw new SocketTimeoutException("No answer to a PING");
            } else {
                if (!connector.isCurrent(connection, Deadline.in(ClientPolicy.SUBSCRIPTION_LOOK))) {
                    return active;
                }
                send(connection, Commands.ping());
                answer = Deadline.in(ClientPolicy.SUBSCRIPTION_ANSWER);
                ask = new Deadline(Deadline.now() + ClientPolicy.SUBSCRIPTION_PING.toNanos());
                asked = true;
            }
        }
        return active;
    }

    private static void send(SocketConnection connection, Command command) {
        connection.until(Deadline.in(ClientPolicy.SUBSCRIPTION_ANSWER));
        connection.send(command);
        connection.flush();
    }

    /** Waits for what comes next; {@link ReplyReader#NOT_YET} if nothing whole has come in time. */
    private static @Nullable Object heard(SocketConnection connection, Deadline until) {
        connection.until(until);
        Object said = connection.next();
        while (said == ReplyReader.NOT_YET) {
            try {
                connection.fill();
            } catch (NoReplyException e) {
                if (connection.isBroken() || !(e.getCause() instanceof SocketTimeoutException)) {
                    throw e;
                }
                return ReplyReader.NOT_YET;
            }
            said = connection.next();
        }
        return said;
    }

    private void hear(@Nullable Object said) {
        if (said instanceof ErrorReplyException refused) {
            throw refused;
        }
        if (!(said instanceof List<?> parts) || parts.isEmpty() || !(parts.get(0) instanceof byte[] first)) {
            // The answer to a PING, where it is no list.
            return;
        }
        String kind = new String(first, StandardCharsets.US_ASCII);
        boolean acknowledged = kind.equals("subscribe");
        if (acknowledged) {
            active = true;
            warned = false;
        }
        try {
            if (acknowledged) {
                listener.subscribed();
            } else if (kind.equals("message") && parts.size() > 2 && parts.get(2) instanceof byte[] payload) {
                listener.message(payload);
            }
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, "A listener failed on a message from Redis", e);
        }
    }

    private void hangUp() {
        SocketConnection connection = current;
        if (connection != null) {
            connection.close();
            current = null;
        }
    }

    @Override
    public void close() {
        closed = true;
        hangUp();
        LockSupport.unpark(thread);
    }
}
