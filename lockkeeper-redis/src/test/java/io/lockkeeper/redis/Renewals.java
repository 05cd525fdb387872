package io.lockkeeper.redis;

import io.lockkeeper.KeeperListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the grants that a keeper renewed. */
final class Renewals implements KeeperListener {

    final AtomicInteger grants = new AtomicInteger();

    @Override
    public void renewed(int renewed, Duration took) {
        grants.addAndGet(renewed);
    }
}
