package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.Overdue;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.AcquireRequest;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The options of a lock object: what to request, and the rules for the hold that comes of it. Immutable; a view changes one of them. */
record AcquireOptions(
        Resource resource,
        AcquireRequest request,
        @Nullable Duration giveUpAfter,
        @Nullable Duration longestHold,
        Overdue whenOverdue) {

    static AcquireOptions of(Resource resource, Mode mode, Duration lease, boolean fair) {
        return new AcquireOptions(
                resource, new AcquireRequest(mode, lease, false, fair, false), null, null, Overdue.REPORT);
    }

    AcquireOptions withLease(Duration lease, Backend backend) {
        return withLease(LeaseRules.check(lease, backend), false);
    }

    AcquireOptions withFixedLease(Duration lease, Backend backend) {
        return withLease(LeaseRules.check(lease, backend), true);
    }

    private AcquireOptions withLease(Duration lease, boolean fixed) {
        return with(request.withLease(lease, fixed));
    }

    AcquireOptions withMode(Mode mode) {
        return with(request.withMode(mode));
    }

    /** The same on behalf of somebody that the store shows in place of a thread. */
    AcquireOptions withShownAs(String name) {
        return with(request.withShownAs(name));
    }

    /** The same for another resource of the same kind. */
    AcquireOptions of(Resource other) {
        return new AcquireOptions(other, request, giveUpAfter, longestHold, whenOverdue);
    }

    AcquireOptions portable() {
        return with(new AcquireRequest(
                request.mode(),
                request.lease(),
                request.fixed(),
                request.fair(),
                true,
                request.sticky(),
                request.shownAs()));
    }

    AcquireOptions sticky(Duration keep) {
        return with(new AcquireRequest(
                request.mode(),
                request.lease(),
                request.fixed(),
                request.fair(),
                request.portable(),
                keep,
                request.shownAs()));
    }

    AcquireOptions giveUpAfter(Duration silence) {
        given(silence, "silence");
        return new AcquireOptions(
                resource,
                request,
                LeaseRules.positive(silence, "The silence to give up after"),
                longestHold,
                whenOverdue);
    }

    AcquireOptions withMaxHold(Duration longest, Overdue then) {
        given(longest, "longest");
        given(then, "whenOverdue");
        return new AcquireOptions(
                resource, request, giveUpAfter, LeaseRules.positive(longest, "The longest hold"), then);
    }

    private AcquireOptions with(AcquireRequest changed) {
        LeaseRules.checkSticky(resource, changed);
        return new AcquireOptions(resource, changed, giveUpAfter, longestHold, whenOverdue);
    }
}
