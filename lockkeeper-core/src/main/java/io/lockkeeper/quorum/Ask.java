package io.lockkeeper.quorum;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.time.Duration;

/** What one member is asked. Internal. */
public sealed interface Ask {

    /** For a grant; answered by {@link Reply.Voted}. */
    record Attempt(Claim claim) implements Ask {}

    /** To give the grant that token; answered by {@link Reply.Renewed}. */
    record Raise(Claim claim, long token) implements Ask {}

    /** To renew the grant; answered by {@link Reply.Renewed}. */
    record Renew(Claim claim) implements Ask {}

    /** To give up a part of the grant; answered by {@link Reply.Narrowed}. */
    record Narrow(Claim claim, Mode to) implements Ask {}

    /** Whether anybody holds that resource; answered by {@link Reply.Seen}. */
    record Look(Resource resource, Duration limit) implements Ask {}

    /** To end the claim; answered by {@link Reply.Ended}. */
    record End(Release release) implements Ask {}
}
