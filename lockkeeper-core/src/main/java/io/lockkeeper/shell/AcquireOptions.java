package io.lockkeeper.shell;

import io.lockkeeper.Overdue;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.AcquireRequest;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a lock object asks for: the wish, and what holds for the hold that comes of it. Immutable; a view changes one thing. */
record AcquireOptions(
        Resource resource,
        AcquireRequest wish,
        @Nullable Duration giveUpAfter,
        @Nullable Duration longestHold,
        Overdue whenOverdue) {

    static AcquireOptions of(Resource resource, Mode mode, Duration lease, boolean fair) {
        return new AcquireOptions(
                resource, new AcquireRequest(mode, lease, false, fair, false), null, null, Overdue.REPORT);
    }

    AcquireOptions withLease(Duration lease, boolean fixed) {
        return with(new AcquireRequest(wish.mode(), lease, fixed, wish.fair(), wish.portable(), wish.sticky()));
    }

    AcquireOptions withMode(Mode mode) {
        return with(new AcquireRequest(mode, wish.lease(), wish.fixed(), wish.fair(), wish.portable(), wish.sticky()));
    }

    AcquireOptions portable() {
        return with(new AcquireRequest(wish.mode(), wish.lease(), wish.fixed(), wish.fair(), true, wish.sticky()));
    }

    AcquireOptions sticky(Duration keep) {
        return with(new AcquireRequest(wish.mode(), wish.lease(), wish.fixed(), wish.fair(), wish.portable(), keep));
    }

    AcquireOptions giveUpAfter(Duration silence) {
        return new AcquireOptions(resource, wish, silence, longestHold, whenOverdue);
    }

    AcquireOptions withMaxHold(Duration longest, Overdue then) {
        return new AcquireOptions(resource, wish, giveUpAfter, longest, then);
    }

    private AcquireOptions with(AcquireRequest changed) {
        LeaseRules.checkSticky(resource, changed);
        return new AcquireOptions(resource, changed, giveUpAfter, longestHold, whenOverdue);
    }
}
