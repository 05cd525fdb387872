package io.lockkeeper.line;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.WaiterTimes;

/** A claim's place in the queue, and when its keeper last sent a request for it. */
final class QueuePlace {

    final String claimId;
    final String keeperId;
    final Mode mode;
    private long stampedAt;

    QueuePlace(String keeperId, Claim claim, long now) {
        this.claimId = claim.id();
        this.keeperId = keeperId;
        this.mode = claim.mode();
        this.stampedAt = now;
    }

    /** A place as it was written. */
    QueuePlace(String claimId, String keeperId, Mode mode, long stampedAt) {
        this.claimId = claimId;
        this.keeperId = keeperId;
        this.mode = mode;
        this.stampedAt = stampedAt;
    }

    private QueuePlace(QueuePlace other) {
        claimId = other.claimId;
        keeperId = other.keeperId;
        mode = other.mode;
        stampedAt = other.stampedAt;
    }

    QueuePlace copy() {
        return new QueuePlace(this);
    }

    long stampedAt() {
        return stampedAt;
    }

    void stamp(long now) {
        stampedAt = now;
    }

    /**
     * A keeper that was last heard of in the future is taken for heard of now: the clock was set back. Were the stamp left, a
     * dead keeper's place would be respected until the clock has caught up.
     */
    void notAheadOf(long now) {
        if (stampedAt > now + WaiterTimes.CLOCK_SET_BACK.toNanos()) {
            stampedAt = now;
        }
    }

    boolean isLive(long now) {
        return now - stampedAt < WaiterTimes.SILENT_AFTER.toNanos();
    }

    boolean isForgotten(long now) {
        return now - stampedAt > WaiterTimes.FORGOTTEN_AFTER.toNanos();
    }

    long liveUntil() {
        return stampedAt + WaiterTimes.SILENT_AFTER.toNanos();
    }

    @Override
    public String toString() {
        return claimId + " of " + keeperId + ", " + mode;
    }
}
