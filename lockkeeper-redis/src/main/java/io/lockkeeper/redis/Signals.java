package io.lockkeeper.redis;

import io.lockkeeper.Resource;
import io.lockkeeper.redis.client.Deadline;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.spi.Keeper;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns the messages on a keeper's channel into signals: a message is the key of the resource that changed, followed by the id
 * of a claim if another keeper wants the grant of that claim back.
 */
final class Signals implements Redis.Listener {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private final Keys keys;
    private final Keeper keeper;
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile boolean inVain;

    Signals(Keys keys, Keeper keeper) {
        this.keys = keys;
        this.keeper = keeper;
    }

    @Override
    public void message(byte[] payload) {
        Resource resource = keys.resource(payload);
        if (resource != null) {
            String claim = Keys.behind(payload);
            if (claim.isEmpty()) {
                keeper.signal(resource);
            } else {
                keeper.recall(resource, claim);
            }
        }
    }

    /**
     * Messages published before are lost, and claims that could not queue can do so now. Threads that wait for the
     * subscription continue after that: otherwise the signal would give back what they are granted at once and keep.
     */
    @Override
    public void subscribed() {
        keeper.signalAll();
        begun.countDown();
    }

    /** Waiters still come by polling. */
    @Override
    public void refused(RuntimeException why) {
        LOG.log(
                Level.WARNING,
                "No signals are heard from Redis, so waiting for a lock takes longer: {0}",
                why.getMessage());
    }

    /** Waits until the subscription is active, which takes a round trip after the keeper was opened. */
    void awaitBegin(Duration timeout) {
        try {
            begun.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for a sticky claim, at most half of its timeout. Where the server does not allow the subscription, only the first
     * claim waits for nothing.
     *
     * @return what is left of the timeout
     */
    Duration awaitBeginOnce(Duration timeout) {
        if (inVain || begun.getCount() == 0) {
            return timeout;
        }
        Deadline until = Deadline.in(timeout);
        awaitBegin(timeout.dividedBy(2));
        inVain = begun.getCount() > 0 && !Thread.currentThread().isInterrupted();
        return Duration.ofNanos(Math.max(until.left(), 1));
    }
}
