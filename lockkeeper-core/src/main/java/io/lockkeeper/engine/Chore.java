package io.lockkeeper.engine;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;

/** A request that is sent in the background until the store has answered it. */
public sealed interface Chore {

    /** When it came up. */
    Moment since();

    /** End a claim that nobody wants any more, or whose fate is not known. */
    record End(Release release, Moment since) implements Chore {}

    /** Tell the store that a part of a grant was given up. */
    record Narrow(Claim held, Mode to, Moment since) implements Chore {}
}
