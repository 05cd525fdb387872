package io.lockkeeper.memory;

import java.time.Duration;

/** When a keeper with places in a queue was last heard of. */
final class Presence {

    /** So long a silent keeper's places are respected; it polls three times as often. */
    private static final long LIVE = Duration.ofSeconds(3).toNanos();

    /** After so long a silent keeper's places are deleted; until then it finds them again. */
    private static final long FORGOTTEN = Duration.ofMinutes(1).toNanos();

    final String keeperId;
    int places;
    private long stampedAt;

    Presence(String keeperId, long now) {
        this.keeperId = keeperId;
        this.stampedAt = now;
    }

    Presence copy() {
        Presence copy = new Presence(keeperId, stampedAt);
        copy.places = places;
        return copy;
    }

    void stamp(long now) {
        stampedAt = now;
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
}
