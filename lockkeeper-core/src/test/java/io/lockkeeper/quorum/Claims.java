package io.lockkeeper.quorum;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.time.Duration;
import java.util.UUID;

/** Claims for tests. */
public final class Claims {

    public static final Duration LEASE = Duration.ofSeconds(10);
    public static final Duration LIMIT = Duration.ofSeconds(3);
    public static final Resource LOCK = new Resource(Family.LOCK, "orders/42");
    public static final Resource SEMAPHORE = new Resource(Family.SEMAPHORE, "seats");

    private Claims() {}

    public static Claim exclusive() {
        return of(LOCK, Mode.EXCLUSIVE);
    }

    public static Claim shared() {
        return of(LOCK, Mode.SHARED);
    }

    public static Claim permits(int count, int of) {
        return of(SEMAPHORE, Mode.permits(count, of));
    }

    public static Claim of(Resource resource, Mode mode) {
        return of(UUID.randomUUID().toString().replace("-", ""), resource, mode, LEASE, Claim.Queueing.NEVER);
    }

    public static Claim of(String id, Resource resource, Mode mode, Duration lease, Claim.Queueing queueing) {
        return Claim.of(id, resource, mode, lease, new HolderInfo("keeper", "host", 1, ""), LIMIT)
                .withQueueing(queueing);
    }

    public static Release release(Claim claim) {
        return new Release(claim.resource(), claim.id(), claim.lease(), false, LIMIT);
    }

    public static Release releaseUnanswered(Claim claim) {
        return new Release(claim.resource(), claim.id(), claim.lease(), true, LIMIT);
    }
}
