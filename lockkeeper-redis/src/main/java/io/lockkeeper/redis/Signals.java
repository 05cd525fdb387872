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
 * Turns what is heard on a keeper's channel into signals: a message is the key of the resource that changed, and behind it
 * the claim if another keeper wants what that holds.
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
     * Whatever was published before is lost, and claims that could not queue can do so now. Whoever waits for the beginning
     * goes on after that: else what he is granted at once, and keeps for later, would be given back by it.
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

    /** A keeper that was just opened is heard within a round trip: whoever needs that already waits for it, not longer. */
    void awaitBegin(Duration timeout) {
        try {
            begun.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The same for a sticky claim, but for half of its limit at most. Where listening is not allowed, only the first one waits
     * in vain.
     *
     * @return what is left of the limit
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
