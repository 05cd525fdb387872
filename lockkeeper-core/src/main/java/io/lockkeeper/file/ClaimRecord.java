package io.lockkeeper.file;

import io.lockkeeper.spi.Claim;
import java.time.Duration;

/**
 * What a store remembers of a claim until it is released.
 *
 * <p>Waiters poll, and pay for it in latency and processor time. The first in line polls every few milliseconds, so that a
 * resource is not idle for long, the others less often; all of them less often the longer they wait. The random part of the
 * claim's id keeps them from polling in step.
 */
final class ClaimRecord {

    private final long since;
    private int polls;
    /** Whether something may be written in its name. */
    volatile boolean written;

    /** @param now by the monotonic clock */
    ClaimRecord(long now) {
        since = now;
    }

    /** Whether it was refused before, so that it is worth a note for others to see. */
    boolean isAgain() {
        return polls > 0;
    }

    /** Notes that it has to wait; returns after how long to poll again. */
    Duration refused(Claim claim, int place, long now) {
        polls++;
        long longest = place == 0 ? FilePolicy.LONGEST_POLL_OF_FIRST.toNanos() : FilePolicy.LONGEST_POLL.toNanos();
        long pause = Math.min(longest, Math.max(FilePolicy.SHORTEST_POLL.toNanos(), (now - since) / 8));
        long jitter = Math.floorMod((claim.id().hashCode() + polls) * 0x9E3779B97F4A7C15L, pause / 2 + 1);
        return Duration.ofNanos(pause - pause / 4 + jitter);
    }
}
