package io.lockkeeper.shell;

import io.lockkeeper.Overdue;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.Wish;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a lock object asks for: the wish, and what holds for the hold that comes of it. Immutable; a view changes one thing. */
record Order(
        Resource resource,
        Wish wish,
        @Nullable Duration giveUpAfter,
        @Nullable Duration longestHold,
        Overdue whenOverdue) {

    static Order of(Resource resource, Mode mode, Duration lease, boolean fair) {
        return new Order(resource, new Wish(mode, lease, false, fair, false), null, null, Overdue.REPORT);
    }

    Order withLease(Duration lease, boolean fixed) {
        return with(new Wish(wish.mode(), lease, fixed, wish.fair(), wish.portable(), wish.sticky()));
    }

    Order withMode(Mode mode) {
        return with(new Wish(mode, wish.lease(), wish.fixed(), wish.fair(), wish.portable(), wish.sticky()));
    }

    Order portable() {
        return with(new Wish(wish.mode(), wish.lease(), wish.fixed(), wish.fair(), true, wish.sticky()));
    }

    Order sticky(Duration keep) {
        return with(new Wish(wish.mode(), wish.lease(), wish.fixed(), wish.fair(), wish.portable(), keep));
    }

    Order giveUpAfter(Duration silence) {
        return new Order(resource, wish, silence, longestHold, whenOverdue);
    }

    Order withMaxHold(Duration longest, Overdue then) {
        return new Order(resource, wish, giveUpAfter, longest, then);
    }

    private Order with(Wish changed) {
        Leases.checkSticky(resource, changed);
        return new Order(resource, changed, giveUpAfter, longestHold, whenOverdue);
    }
}
