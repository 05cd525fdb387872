package io.lockkeeper.line;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.time.Duration;

/** Short ways to write claims. */
public final class Claims {

    public static final Duration LEASE = Duration.ofSeconds(30);
    public static final Duration LIMIT = Duration.ofSeconds(1);
    public static final Resource LOCK = new Resource(Family.LOCK, "orders/42");
    public static final Resource SEMAPHORE = new Resource(Family.SEMAPHORE, "printers");
    public static final Resource LATCH = new Resource(Family.LATCH, "start");

    private Claims() {}

    public static Claim claim(String id, Resource resource, Mode mode, Duration lease, int tokens, Queueing queueing) {
        HolderInfo holder = new HolderInfo("keeper", "host", 1, "");
        return Claim.of(id, resource, mode, lease, holder, LIMIT)
                .withTokens(tokens)
                .withQueueing(queueing);
    }

    public static Claim exclusive(String id) {
        return claim(id, LOCK, Mode.EXCLUSIVE, LEASE, 1, Queueing.PLAIN);
    }

    public static Claim exclusiveNow(String id) {
        return claim(id, LOCK, Mode.EXCLUSIVE, LEASE, 1, Queueing.NEVER);
    }

    public static Claim shared(String id) {
        return claim(id, LOCK, Mode.SHARED, LEASE, 1, Queueing.PLAIN);
    }

    public static Claim sharedNow(String id) {
        return claim(id, LOCK, Mode.SHARED, LEASE, 1, Queueing.NEVER);
    }

    public static Claim permits(String id, int count, int of) {
        return claim(id, SEMAPHORE, Mode.permits(count, of), LEASE, 1, Queueing.PLAIN);
    }

    public static Release release(Claim claim, boolean unanswered) {
        return new Release(claim.resource(), claim.id(), claim.lease(), unanswered, LIMIT);
    }
}
