package io.lockkeeper.line;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import java.time.Duration;

/** A claim's place in a queue, and when its keeper was last heard of. */
final class QueuePlace {

    /** So long a silent keeper's place is respected; it polls three times as often. */
    private static final long LIVE = Duration.ofSeconds(3).toNanos();

    /** After so long a silent keeper's place is deleted; until then it finds it again. */
    private static final long FORGOTTEN = Duration.ofMinutes(1).toNanos();

    /** A stamp so far ahead is from before the clock was set back. */
    private static final long AHEAD = Duration.ofSeconds(1).toNanos();

    final String claimId;
    final String keeperId;
    final Mode mode;
    private final Claim.Queueing queueing;
    private long stampedAt;

    QueuePlace(String keeperId, Claim claim, long now) {
        this.claimId = claim.id();
        this.keeperId = keeperId;
        this.mode = claim.mode();
        this.queueing = claim.queueing();
        this.stampedAt = now;
    }

    private QueuePlace(QueuePlace other) {
        claimId = other.claimId;
        keeperId = other.keeperId;
        mode = other.mode;
        queueing = other.queueing;
        stampedAt = other.stampedAt;
    }

    QueuePlace copy() {
        return new QueuePlace(this);
    }

    void stamp(long now) {
        stampedAt = now;
    }

    /**
     * A keeper that was last heard of in the future is taken for heard of now: the clock was set back. Were the stamp left, a
     * dead keeper's place would be respected until the clock has caught up.
     */
    void notAheadOf(long now) {
        if (stampedAt > now + AHEAD) {
            stampedAt = now;
        }
    }

    boolean isLive(long now) {
        return now - stampedAt < LIVE;
    }

    boolean isForgotten(long now) {
        return now - stampedAt > FORGOTTEN;
    }

    long liveUntil() {
        return stampedAt + LIVE;
    }

    @Override
    public String toString() {
        return claimId + " of " + keeperId + ", " + mode + ", " + queueing;
    }
}
