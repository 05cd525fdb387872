package io.lockkeeper.redis.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How long a server has certainly kept its memory as the primary that it is now.
 *
 * <p>A process that was always a primary has had its memory since it started, so its uptime counts, minus the second by which
 * it is rounded. A process that was a replica had only what its primary sent, and lost what was not sent before its promotion.
 * Redis does not tell when the promotion was, only that there was one: it gives the server a second replication id. For such a
 * server only the time counts since it was first seen here as the same process with the same replication id. A restart changes
 * the run id, a promotion the replication id.
 *
 * <p>The same holds for a server that was seen as another process before. Redis computes its uptime from the wall clock: a
 * restart followed by a clock that is set forward by an hour would look like a process that is an hour old. Only a server that
 * is seen for the first time is believed.
 */
final class PrimaryUptime {

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable String identity;
    private long seenAt;
    private boolean changed;

    /** For what INFO said just now. */
    Duration of(Map<String, String> info) {
        if (!"master".equals(info.get("role"))) {
            return Duration.ZERO;
        }
        Duration running =
                Duration.ofSeconds(Math.max(0, Long.parseLong(info.getOrDefault("uptime_in_seconds", "0")) - 1));
        boolean promoted = !"-1".equals(info.getOrDefault("second_repl_offset", "-1"));
        Duration seen = seen(info.get("run_id") + '/' + info.get("master_replid"));
        return (promoted || hasChanged()) && seen.compareTo(running) < 0 ? seen : running;
    }

    private boolean hasChanged() {
        lock.lock();
        try {
            return changed;
        } finally {
            lock.unlock();
        }
    }

    private Duration seen(String now) {
        lock.lock();
        try {
            if (!now.equals(identity)) {
                changed |= identity != null;
                identity = now;
                seenAt = Deadline.now();
            }
            return Duration.ofNanos(Deadline.now() - seenAt);
        } finally {
            lock.unlock();
        }
    }
}
