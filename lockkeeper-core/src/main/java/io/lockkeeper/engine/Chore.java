package io.lockkeeper.engine;

import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release;

/** Something to be settled with the store in the background, until it is certain. */
public sealed interface Chore {

    /** When it came up. */
    Moment since();

    /** End a claim that nobody wants any more, or whose fate is not known. */
    record End(Release release, Moment since) implements Chore {}

    /** Tell the store of a part that was given up. */
    record Narrow(Claim held, Mode to, Moment since) implements Chore {}
}
