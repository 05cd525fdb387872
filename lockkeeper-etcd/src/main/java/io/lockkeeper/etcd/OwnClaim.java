package io.lockkeeper.etcd;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/** A claim of this keeper that has a key in etcd, as far as the keeper knows. */
final class OwnClaim {

    final Resource resource;
    final String claimId;
    final String key;
    /** In which its key was created. */
    final long createdAt;
    /** When the answer had come that told of the key: each later look at the lease finds it. */
    final Moment knownAt;

    /** The renewed lease that it is attached to; null if it has a fixed one. */
    volatile @Nullable LiveLease lease;
    /** What is in its key. */
    volatile ClaimData data;
    /** When a look was sent that found it. */
    volatile Moment seenAt;

    volatile boolean granted;
    /** How many tokens it was granted. */
    volatile int tokens;
    /** The end of a fixed lease by the monotonic clock, as promised; of no meaning for others. */
    volatile long fixedUntil;

    OwnClaim(
            Resource resource,
            String claimId,
            String key,
            long createdAt,
            @Nullable LiveLease lease,
            ClaimData data,
            Moment seenAt,
            Moment knownAt) {
        this.resource = resource;
        this.claimId = claimId;
        this.key = key;
        this.createdAt = createdAt;
        this.lease = lease;
        this.data = data;
        this.seenAt = seenAt;
        this.knownAt = knownAt;
        this.fixedUntil = seenAt.mono();
    }

    /** The first token. */
    long token() {
        return createdAt << EtcdPolicy.TOKEN_BITS;
    }
}
