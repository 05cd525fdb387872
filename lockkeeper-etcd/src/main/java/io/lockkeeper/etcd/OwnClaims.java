package io.lockkeeper.etcd;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Moment;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The claims of this keeper that have keys, by their keys, and which resources are to be looked at again. */
final class OwnClaims {

    private final Map<String, OwnClaim> claims = new ConcurrentHashMap<>();
    private final Map<Resource, Long> doubted = new ConcurrentHashMap<>();
    private volatile long allDoubtedAt = Long.MIN_VALUE;

    @Nullable
    OwnClaim get(String key) {
        return claims.get(key);
    }

    /** The claim as it is known; another object of the same key is replaced. */
    void put(OwnClaim claim) {
        claims.put(claim.key, claim);
    }

    boolean remove(OwnClaim claim) {
        return claims.remove(claim.key, claim);
    }

    Collection<OwnClaim> all() {
        return claims.values();
    }

    /** Something happened to the resource: what was seen before counts no more. */
    void doubt(Resource resource, Moment now) {
        doubted.put(resource, now.mono());
    }

    void doubtAll(Moment now) {
        allDoubtedAt = now.mono();
    }

    /** Whether it was seen within that time, and nothing was heard since that speaks against it. */
    boolean isSeen(OwnClaim claim, long withinNanos, Moment now) {
        long seen = claim.seenAt.mono();
        Long doubt = doubted.get(claim.resource);
        return now.since(claim.seenAt) <= withinNanos
                && (doubt == null || seen - doubt > 0)
                && (allDoubtedAt == Long.MIN_VALUE || seen - allDoubtedAt > 0);
    }

    /** Forgets doubts that are older than that, and claims with a fixed lease that ended longer ago. */
    void clean(Moment now, long nanos) {
        doubted.values().removeIf(at -> now.mono() - at > nanos);
        claims.values().removeIf(claim -> claim.lease == null && now.mono() - claim.fixedUntil > nanos);
    }
}
