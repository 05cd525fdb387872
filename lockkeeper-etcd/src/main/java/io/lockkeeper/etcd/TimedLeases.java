package io.lockkeeper.etcd;

import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.Etcd;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Leases that nobody renews: for fixed grants, tombstones and what is kept for a while. What is to last about equally long shares one,
 * so that there are about ten of each length however many keys there are: etcd slows down by the number of its leases, not of keys.
 *
 * <p><b>Invariant.</b> What is attached to a lease given out here lasts at least as long as was asked for, from when it was asked, by
 * the clock of this keeper; and at most a quarter and three seconds longer by etcd's.
 */
final class TimedLeases {

    private record Timed(long id, Moment sentAt, long usable) {

        boolean lasts(Moment now, long nanos) {
            return usable - now.since(sentAt) >= nanos;
        }
    }

    private final Etcd etcd;
    private final Clocks clocks;
    private final Map<Long, Timed> latest = new ConcurrentHashMap<>();
    private final ReentrantLock opening = new ReentrantLock();

    TimedLeases(Etcd etcd, Clocks clocks) {
        this.etcd = etcd;
        this.clocks = clocks;
    }

    /** A lease that lasts for at least this long from now. */
    long lasting(Duration time, Deadline until) {
        long seconds = seconds(time);
        Timed known = latest.get(seconds);
        if (known != null && known.lasts(clocks.now(), time.toNanos())) {
            return known.id;
        }
        until.lock(opening);
        try {
            known = latest.get(seconds);
            if (known == null || !known.lasts(clocks.now(), time.toNanos())) {
                Moment sentAt = clocks.now();
                Etcd.Lease lease = etcd.grant(seconds, until);
                known = new Timed(
                        lease.id(),
                        sentAt,
                        LeaseTimes.usable(Duration.ofSeconds(lease.seconds())).toNanos());
                latest.put(seconds, known);
            }
            return known.id;
        } finally {
            opening.unlock();
        }
    }

    /** One to two steps longer, of an eighth and at least a second each, so that the lengths of an application share few leases. */
    static long seconds(Duration time) {
        long whole = (time.toMillis() + 999) / 1000;
        long step = Math.max(1, Long.highestOneBit(Math.max(1, whole)) / 8);
        return Math.max(EtcdPolicy.SHORTEST_SECONDS, (whole / step + 2) * step);
    }

    /** Whether that lease is known here to last for this long from then. */
    boolean lasts(long id, Moment from, Duration time) {
        for (Timed timed : latest.values()) {
            if (timed.id == id) {
                return timed.lasts(from, time.toNanos());
            }
        }
        return false;
    }

    /** One of them is gone, ended by hand perhaps; others are opened from now on. */
    void forget() {
        latest.clear();
    }
}
