package io.lockkeeper.engine;

import io.lockkeeper.spi.Release;
import org.jspecify.annotations.Nullable;

/** What a holder has to do to give back what he has. */
public sealed interface ReleaseStep {

    /**
     * Tell the store, then {@link ResourceEngine#released} or {@link ResourceEngine#releaseFailed}.
     *
     * @param next to be asked along with it for those who wait here, as if one of them did; null if nothing is
     */
    record Send(Grant grant, Release release, Step.@Nullable Attempt next) implements ReleaseStep {}

    /** Nothing: it stays with this keeper, for somebody else here. */
    record Kept() implements ReleaseStep {

        static final Kept KEPT = new Kept();
    }

    /** Nothing: it was not held any more. */
    record NotHeld() implements ReleaseStep {

        static final NotHeld NOT_HELD = new NotHeld();
    }
}
