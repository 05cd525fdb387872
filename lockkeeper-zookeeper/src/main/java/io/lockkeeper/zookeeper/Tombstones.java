package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.RetentionTimes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ids of claims that were ended while a request of theirs was unanswered.
 *
 * <p><b>Invariant.</b> A claim of this keeper that was ended makes no node any more, or one that is deleted as soon as its creation is
 * answered. It is enough that this object knows: requests of a claim are made by its own keeper only, and those on the way are
 * executed in the order in which they were sent.
 */
final class Tombstones {

    private final Clocks clocks;
    private final Map<String, Long> ends = new ConcurrentHashMap<>();

    Tombstones(Clocks clocks) {
        this.clocks = clocks;
    }

    void add(String claimId, Duration lease) {
        ends.put(claimId, clocks.now().mono() + RetentionTimes.tombstone(lease).toNanos());
    }

    boolean has(String claimId) {
        return ends.containsKey(claimId);
    }

    /** Forgets those that are old enough. */
    void clean() {
        long now = clocks.now().mono();
        ends.values().removeIf(end -> end - now < 0);
    }
}
