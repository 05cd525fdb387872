package io.lockkeeper.memory;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;

/** A claim's place in a queue. The keeper's presence is shared by all its places there: one poll stamps them all. */
record Place(String claimId, Mode mode, Claim.Queueing queueing, Presence presence) {

    boolean isLive(long now) {
        return presence.isLive(now);
    }
}
