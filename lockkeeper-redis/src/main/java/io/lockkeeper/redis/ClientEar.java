package io.lockkeeper.redis;

import io.lockkeeper.redis.Redis.Listener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A subscription through somebody's Jedis client. It takes one of the client's connections.
 *
 * <p>A connection that died without a word is found out as in {@link Ear}, by asking. It can not be closed from here, so
 * the thread that reads from it is left to itself and a new one takes its place; whatever the old one still hears counts for nothing.
 */
final class ClientEar implements Redis.Subscription {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private static final long ASK_EVERY = TimeUnit.SECONDS.toNanos(3);
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final Executor LATER = CompletableFuture.delayedExecutor(ASK_EVERY, TimeUnit.NANOSECONDS);

    private final UnifiedJedis client;
    private final byte[] channel;
    private final Listener listener;

    private volatile boolean closed;
    /** Who listens now. */
    private volatile @Nullable Turn turn;

    private ClientEar(UnifiedJedis client, byte[] channel, Listener listener) {
        this.client = client;
        this.channel = channel;
        this.listener = listener;
    }

    static ClientEar open(UnifiedJedis client, byte[] channel, Listener listener) {
        ClientEar ear = new ClientEar(client, channel, listener);
        ear.begin();
        LATER.execute(ear::makeSure);
        return ear;
    }

    private void begin() {
        Turn next = new Turn();
        turn = next;
        Thread thread = new Thread(next::listen, "lockkeeper-redis-signals");
        thread.setDaemon(true);
        thread.start();
    }

    private void makeSure() {
        Turn now = turn;
        if (closed || now == null) {
            return;
        }
        Hearing hearing = now.hearing;
        if (hearing != null && hearing.active) {
            if (hearing.asked) {
                begin();
                hearing.end();
            } else {
                hearing.ask();
            }
        }
        LATER.execute(this::makeSure);
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
            long pause = SHORTEST_PAUSE;
            while (!isOver()) {
                Hearing now = new Hearing(this);
                hearing = now;
                try {
                    client.subscribe(now, channel);
                } catch (JedisDataException e) {
                    LOG.log(
                            warned ? Level.DEBUG : Level.WARNING,
                            "No signals are heard from Redis, so waiting for a lock takes longer: {0}",
                            Trouble.asking(ClientRedis.NAME, JedisTerms.translated(e))
                                    .getMessage());
                    warned = true;
                } catch (RuntimeException e) {
                    LOG.log(Level.DEBUG, "The subscription broke and is made anew", e);
                }
                warned &= !now.active;
                pause = now.active ? SHORTEST_PAUSE : Math.min(LONGEST_PAUSE, 2 * pause);
                now.active = false;
                if (!isOver()) {
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
                }
            }
        }
    }

    /** A connection that is listened on. */
    private final class Hearing extends BinaryJedisPubSub {

        private final Turn mine;
        private volatile boolean active;
        /** A PING is unanswered. */
        private volatile boolean asked;

        Hearing(Turn mine) {
            this.mine = mine;
        }

        @Override
        public void onSubscribe(byte[] to, int count) {
            active = true;
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
            try {
                ping();
            } catch (RuntimeException broken) {
                LOG.log(Level.DEBUG, "A subscription could not be asked", broken);
            }
        }

        /** Also when that was said before: whoever still hears something was not heard itself. */
        void end() {
            active = false;
            try {
                unsubscribe();
            } catch (RuntimeException broken) {
                LOG.log(Level.DEBUG, "A subscription that was given up had broken", broken);
            }
        }
    }
}
