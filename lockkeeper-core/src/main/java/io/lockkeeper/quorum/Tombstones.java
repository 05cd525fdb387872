package io.lockkeeper.quorum;

import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.RetentionTimes;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Claims that were released while an attempt of theirs may have been on its way to this store. */
final class Tombstones {

    private record Grave(Moment dug, long nanos) {}

    private final Map<String, Grave> graves = new ConcurrentHashMap<>();

    void add(String claimId, Duration lease, Moment now) {
        Iterator<Grave> all = graves.values().iterator();
        // Two looked at for each new one: the map does not grow beyond what a minute digs.
        for (int i = 0; i < 2 && all.hasNext(); i++) {
            Grave grave = all.next();
            if (now.since(grave.dug) > grave.nanos) {
                all.remove();
            }
        }
        graves.put(claimId, new Grave(now, RetentionTimes.tombstone(lease).toNanos()));
    }

    boolean contains(String claimId, Moment now) {
        Grave grave = graves.get(claimId);
        return grave != null && now.since(grave.dug) <= grave.nanos;
    }
}
