package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.Resource;
import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.engine.AcquireRequest;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.LeaseTimes;
import java.time.Duration;

/** What durations are allowed. */
final class LeaseRules {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private LeaseRules() {}

    static Duration check(Duration lease) {
        given(lease, "lease");
        if (lease.compareTo(LeaseTimes.SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("A lease of " + Durations.text(lease)
                    + " is too short: a hold must outlast ordinary pauses; use at least "
                    + Durations.text(LeaseTimes.SHORTEST_LEASE));
        }
        if (lease.compareTo(KeeperPolicy.RISKY_LEASE) < 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A lease of {0} is short: a pause as long as that loses the lock",
                    Durations.text(lease));
        }
        return lease;
    }

    static Duration check(Duration lease, Backend backend) {
        checkLongest(lease, backend);
        return check(lease);
    }

    static void checkLongest(Duration lease, Backend backend) {
        given(lease, "lease");
        if (lease.compareTo(backend.longestLease()) > 0) {
            throw new IllegalArgumentException("A lease of " + Durations.text(lease) + " is longer than "
                    + backend.describe() + " allows, which is " + Durations.text(backend.longestLease()));
        }
    }

    /** Refuses what does not go together with sticky: the store does not see an idle grant, and nobody renews it. */
    static void checkSticky(Resource resource, AcquireRequest request) {
        Duration keep = request.sticky();
        if (keep.isZero()) {
            return;
        }
        String other =
                request.fair() ? "fair" : request.fixed() ? "of a fixed lease" : request.portable() ? "portable" : null;
        if (other != null) {
            throw new UnsupportedFeatureException(
                    "The " + resource + " cannot be sticky and " + other
                            + ": such a grant is never passed to another holder; use keeper.lock(name).sticky(Duration) with a renewed lease");
        }
        Duration longest = LeaseTimes.renewEvery(request.lease());
        if (keep.compareTo(longest) > 0) {
            throw new IllegalArgumentException("The " + resource + " cannot be sticky for " + Durations.text(keep)
                    + ": an idle grant is not renewed, and one with a lease of " + Durations.text(request.lease())
                    + " is due for renewal after " + Durations.text(longest) + "; use at most that, or a longer lease");
        }
    }

    static Duration positive(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " must be positive but was " + Durations.text(duration));
        }
        return duration;
    }
}
