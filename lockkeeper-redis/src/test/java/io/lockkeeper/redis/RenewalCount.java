package io.lockkeeper.redis;

import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the grants that a keeper renewed. */
final class RenewalCount implements KeeperListener {

    final AtomicInteger grants = new AtomicInteger();

    @Override
    public void renewed(KeeperEvent.Renewed event) {
        grants.addAndGet(event.grants());
    }
}
