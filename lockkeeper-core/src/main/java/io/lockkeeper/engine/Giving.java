package io.lockkeeper.engine;

import io.lockkeeper.spi.Release;

/** What a holder has to do to give back what he has. */
public sealed interface Giving {

    /** Tell the store, then {@link ResourceEngine#released} or {@link ResourceEngine#releaseFailed}. */
    record Send(Grant grant, Release release) implements Giving {}

    /** Nothing: it stays with this keeper, for somebody else here. */
    record Kept() implements Giving {

        static final Kept KEPT = new Kept();
    }

    /** Nothing: it was not held any more. */
    record NotHeld() implements Giving {

        static final NotHeld NOT_HELD = new NotHeld();
    }
}
