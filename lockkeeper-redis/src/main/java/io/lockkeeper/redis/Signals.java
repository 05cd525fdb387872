package io.lockkeeper.redis;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns what is heard on a keeper's channel into signals: a message is the key of the resource that changed, and behind it
 * the claim if another keeper wants what that holds.
 */
final class Signals implements Redis.Listener {

    private final Keys keys;
    private final Keeper keeper;
    private final CountDownLatch begun = new CountDownLatch(1);

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
                keeper.asked(resource, claim);
            }
        }
    }

    /** Whatever was published before is lost, and claims that could not queue can do so now. */
    @Override
    public void subscribed() {
        begun.countDown();
        keeper.signalAll();
    }

    /** A keeper that was just opened is heard within a round trip: whoever needs that already waits for it, not longer. */
    void awaitBegin(Duration limit) {
        try {
            begun.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
