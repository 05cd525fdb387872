package io.lockkeeper.engine;

import io.lockkeeper.spi.Release;
import org.jspecify.annotations.Nullable;

/** What is left to do for a holder that releases its hold. */
public sealed interface ReleaseStep {

    /**
     * Tell the store, then {@link ResourceEngine#released} or {@link ResourceEngine#releaseFailed}; with an attempt that goes
     * along, {@link ResourceEngine#exchanged}.
     *
     * @param next an attempt for the waiters of this keeper that is sent along with the release; null if there is none
     */
    record Send(Grant grant, Release release, Step.@Nullable Attempt next) implements ReleaseStep {}

    /** Nothing is to be sent: the grant stays with this keeper. */
    enum Stays implements ReleaseStep {
        /** Other holders still share it. */
        SHARED,
        /** The head of the queue was called for it, and a newcomer may take it first. */
        LEFT_OPEN,
        /** The next waiter has it. */
        HANDED_ON,
        /** It is sticky, and kept though nobody holds it. */
        KEPT_IDLE
    }

    /** Nothing is to be sent: it was not held any more. */
    record NotHeld() implements ReleaseStep {

        static final NotHeld NOT_HELD = new NotHeld();
    }
}
