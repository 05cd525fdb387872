package io.lockkeeper.redis.jedis;

import io.lockkeeper.redis.client.ClientPolicy;
import io.lockkeeper.redis.client.Deadline;
import io.lockkeeper.redis.client.ErrorReplyException;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.redis.client.Redis.Listener;
import io.lockkeeper.redis.client.SubscriptionBackoff;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A subscription through an application's Jedis client. It takes one of the client's connections.
 *
 * <p>Invariant: a connection that was subscribed is never used for anything else. It is closed at the end, and goes back to
 * the pool as broken: a PING that was sent beside the end of the subscription would be answered to the next user.
 *
 * <p>A connection that died silently is found out by a PING every few seconds. Another thread takes its place before it is
 * closed, and what the old one still hears counts for nothing.
 */
final class JedisSubscription implements Redis.Subscription {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private static final long ASK_EVERY = ClientPolicy.SUBSCRIPTION_PING.toNanos();
    private static final Executor LATER = CompletableFuture.delayedExecutor(ASK_EVERY, TimeUnit.NANOSECONDS);

    private final Function<Deadline, JedisConnection> lender;
    private final byte[] channel;
    private final Listener listener;

    private volatile boolean closed;
    /** The thread that is subscribed now. */
    private volatile @Nullable Turn turn;

    private JedisSubscription(Function<Deadline, JedisConnection> lender, byte[] channel, Listener listener) {
        this.lender = lender;
        this.channel = channel;
        this.listener = listener;
    }

    static JedisSubscription open(Function<Deadline, JedisConnection> lender, byte[] channel, Listener listener) {
        JedisSubscription ear = new JedisSubscription(lender, channel, listener);
        ear.begin();
        LATER.execute(ear::makeSure);
        return ear;
    }

    private void begin() {
        Turn next = new Turn();
        Thread thread = new Thread(next::listen, "lockkeeper-redis-signals");
        thread.setDaemon(true);
        Turn last = turn;
        turn = next;
        try {
            thread.start();
        } catch (Error unstarted) {
            turn = last;
            throw unstarted;
        }
    }

    /** Asks, or replaces the thread whose connection did not answer. A thread that cannot be started is tried again. */
    private void makeSure() {
        Turn now = turn;
        if (closed || now == null) {
            return;
        }
        try {
            Hearing hearing = now.hearing;
            if (hearing != null && !hearing.ended) {
                if (hearing.asked) {
                    begin();
                    hearing.end();
                } else {
                    hearing.ask();
                }
            }
        } finally {
            LATER.execute(this::makeSure);
        }
    }

    @Override
    public boolean isActive() {
        Turn now = turn;
        Hearing hearing = now == null ? null : now.hearing;
        return hearing != null && hearing.active;
    }

    @Override
    public void close() {
        closed = true;
        Turn last = turn;
        turn = null;
        Hearing hearing = last == null ? null : last.hearing;
        if (hearing != null) {
            hearing.end();
        }
    }

    /** A thread that listens, on one connection after the other. */
    private final class Turn {

        private volatile @Nullable Hearing hearing;
        private boolean warned;

        boolean isOver() {
            return closed || turn != this;
        }

        void listen() {
            SubscriptionBackoff backoff = new SubscriptionBackoff();
            while (!isOver()) {
                boolean heard = listenOnce();
                warned &= !heard;
                if (!isOver()) {
                    LockSupport.parkNanos(backoff.next(heard));
                }
            }
        }

        /** Whether the subscription was acknowledged before it ended. */
        private boolean listenOnce() {
            Hearing now = null;
            try (JedisConnection line = lender.apply(Deadline.in(ClientPolicy.SUBSCRIPTION_OPENING))) {
                line.spoil();
                now = new Hearing(this, line.connection());
                hearing = now;
                if (!isOver()) {
                    now.proceed(line.connection(), channel);
                }
            } catch (RuntimeException | Error e) {
                tellOf(e);
            }
            if (now == null) {
                return false;
            }
            boolean heard = now.active;
            now.active = false;
            now.ended = true;
            return heard;
        }

        private void tellOf(Throwable e) {
            if (e instanceof JedisException failed
                    && JedisConnection.translated(failed) instanceof ErrorReplyException refused) {
                if (!warned) {
                    warned = true;
                    listener.refused(refused);
                }
            } else {
                LOG.log(Level.DEBUG, "The subscription broke and is renewed", e);
            }
        }
    }

    /** A connection that is listened on. */
    private final class Hearing extends BinaryJedisPubSub {

        private final Turn mine;
        private final Connection connection;
        private volatile boolean active;
        private volatile boolean ended;
        /** A PING is unanswered, or the subscription itself. */
        private volatile boolean asked;

        Hearing(Turn mine, Connection connection) {
            this.mine = mine;
            this.connection = connection;
        }

        @Override
        public void onSubscribe(byte[] to, int count) {
            active = true;
            asked = false;
            tell(listener::subscribed);
        }

        @Override
        public void onMessage(byte[] from, byte[] payload) {
            tell(() -> listener.message(payload));
        }

        @Override
        public void onPong(byte[] pattern) {
            asked = false;
        }

        private void tell(Runnable news) {
            if (mine.isOver()) {
                end();
                return;
            }
            try {
                news.run();
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "A listener failed on a message from Redis", e);
            }
        }

        void ask() {
            asked = true;
            if (!active) {
                return;
            }
            try {
                ping();
            } catch (RuntimeException broken) {
                LOG.log(Level.DEBUG, "A subscription could not be asked", broken);
            }
        }

        /** Closes the connection, which ends the thread that reads from it. */
        void end() {
            active = false;
            try {
                connection.disconnect();
            } catch (RuntimeException broken) {
                LOG.log(Level.DEBUG, "A subscription that was given up had broken", broken);
            }
        }
    }
}
