package io.lockkeeper.memory;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.time.Duration;

/** Short ways to write claims. */
final class Claims {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration LIMIT = Duration.ofSeconds(1);
    static final Resource LOCK = new Resource(Family.LOCK, "orders/42");
    static final Resource SEMAPHORE = new Resource(Family.SEMAPHORE, "printers");
    static final Resource LATCH = new Resource(Family.LATCH, "start");

    private Claims() {}

    static Claim claim(String id, Resource resource, Mode mode, Duration lease, int tokens, Queueing queueing) {
        HolderInfo holder = new HolderInfo("keeper", "host", 1, "");
        return Claim.of(id, resource, mode, lease, holder, LIMIT)
                .withTokens(tokens)
                .withQueueing(queueing);
    }

    static Claim exclusive(String id) {
        return claim(id, LOCK, Mode.EXCLUSIVE, LEASE, 1, Queueing.PLAIN);
    }

    static Claim exclusiveNow(String id) {
        return claim(id, LOCK, Mode.EXCLUSIVE, LEASE, 1, Queueing.NEVER);
    }

    static Claim shared(String id) {
        return claim(id, LOCK, Mode.SHARED, LEASE, 1, Queueing.PLAIN);
    }

    static Claim sharedNow(String id) {
        return claim(id, LOCK, Mode.SHARED, LEASE, 1, Queueing.NEVER);
    }

    static Claim permits(String id, int count, int of) {
        return claim(id, SEMAPHORE, Mode.permits(count, of), LEASE, 1, Queueing.PLAIN);
    }

    static Release release(Claim claim, boolean unanswered) {
        return new Release(claim.resource(), claim.id(), claim.lease(), unanswered, LIMIT);
    }
}
