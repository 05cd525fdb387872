package io.lockkeeper.redis;

import io.lockkeeper.redis.Redis.Listener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.PushConsumerChainImpl;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * A subscription: one connection and one thread that keep themselves alive.
 *
 * <p>What it keeps: it never believes for long that it hears when it does not. Silence on a subscription is its ordinary
 * state, so a connection that died without a word (a cut cable, a server that is gone) would look like peace; therefore it
 * asks every few seconds and expects an answer. After each new subscription the listener is told, for whatever was published in between is lost.
 */
final class Ear implements Redis.Subscription, Runnable {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    /** Messages are ordinary replies in protocol 2. */
    private static final PushConsumerChain NO_PUSHES = PushConsumerChainImpl.of();

    private static final long ASK_EVERY = TimeUnit.SECONDS.toNanos(3);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);
    private static final Duration LOOK_WITHIN = Duration.ofMillis(500);
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** Knows where to listen. */
    interface Dial {
        /** Opens a connection to listen on. */
        Wire open(Deadline until);

        /** Whether that is still the place to listen. */
        boolean isRight(Wire wire, Deadline until);
    }

    private final byte[] channel;
    private final Listener listener;
    private final Dial dial;
    private final Thread thread;

    /** For the subscription's thread only. */
    private boolean warned;

    private volatile boolean closed;
    private volatile boolean active;
    private volatile @Nullable Wire wire;

    private Ear(byte[] channel, Listener listener, Dial dial) {
        this.channel = channel;
        this.listener = listener;
        this.dial = dial;
        this.thread = new Thread(this, "lockkeeper-redis-signals");
        thread.setDaemon(true);
    }

    static Ear open(byte[] channel, Listener listener, Dial dial) {
        Ear ear = new Ear(channel, listener, dial);
        ear.thread.start();
        return ear;
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public void run() {
        long pause = SHORTEST_PAUSE;
        while (!closed) {
            boolean heard = false;
            try {
                heard = listen();
            } catch (RuntimeException | IOException e) {
                heard = active;
                if (!closed) {
                    tell(e);
                }
            } finally {
                active = false;
                hangUp();
            }
            pause = heard ? SHORTEST_PAUSE : Math.min(LONGEST_PAUSE, 2 * pause);
            if (!closed) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
            }
        }
    }

    /** A connection that breaks is made anew, and nobody needs to know; being refused is for a person to mend. */
    private void tell(Exception e) {
        Wire line = wire;
        Exception told =
                e instanceof JedisDataException refused && line != null ? Trouble.refused(line.server(), refused) : e;
        if (told instanceof RedisRefusal && !warned) {
            warned = true;
            LOG.log(
                    Level.WARNING,
                    "No signals are heard from Redis, so waiting for a lock takes longer: {0}",
                    told.getMessage());
        } else {
            LOG.log(Level.DEBUG, "The subscription broke and is made anew", told);
        }
    }

    private boolean listen() throws IOException {
        Wire line = dial.open(Deadline.in(ANSWER_WITHIN));
        wire = line;
        RedisInputStream in = new RedisInputStream(line.socket().getInputStream());
        RedisOutputStream out = new RedisOutputStream(line.socket().getOutputStream());
        send(line, out, new CommandArguments(Protocol.Command.SUBSCRIBE).add(channel));
        Deadline answer = Deadline.in(ANSWER_WITHIN);
        Deadline ask = new Deadline(Deadline.now() + ASK_EVERY);
        boolean asked = true;
        while (!closed) {
            line.until(asked ? answer : ask);
            if (!ask.hasPassed() && hears(in)) {
                line.until(Deadline.in(ANSWER_WITHIN));
                hear((List<?>) Protocol.read(in, NO_PUSHES));
                asked = false;
            } else if (asked) {
                throw new SocketTimeoutException("No answer to a PING");
            } else {
                if (!dial.isRight(line, Deadline.in(LOOK_WITHIN))) {
                    return active;
                }
                send(line, out, Commands.ping());
                answer = Deadline.in(ANSWER_WITHIN);
                ask = new Deadline(Deadline.now() + ASK_EVERY);
                asked = true;
            }
        }
        return active;
    }

    private static void send(Wire line, RedisOutputStream out, CommandArguments command) throws IOException {
        line.until(Deadline.in(ANSWER_WITHIN));
        Protocol.sendCommand(out, command);
        out.flush();
    }

    /** Waits for the first byte of what comes next; false if there is none in time. */
    private static boolean hears(RedisInputStream in) {
        try {
            in.peek(Protocol.ASTERISK_BYTE);
            return true;
        } catch (JedisConnectionException e) {
            if (e.getCause() instanceof SocketTimeoutException) {
                return false;
            }
            throw e;
        }
    }

    private void hear(List<?> said) {
        String kind = new String((byte[]) said.get(0), StandardCharsets.US_ASCII);
        boolean acknowledged = kind.equals("subscribe");
        if (acknowledged) {
            active = true;
            warned = false;
        }
        try {
            if (acknowledged) {
                listener.subscribed();
            } else if (kind.equals("message")) {
                listener.message((byte[]) said.get(2));
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "A listener failed on a message from Redis", e);
        }
    }

    private void hangUp() {
        Wire line = wire;
        if (line != null) {
            line.close();
            wire = null;
        }
    }

    @Override
    public void close() {
        closed = true;
        hangUp();
        LockSupport.unpark(thread);
    }
}
