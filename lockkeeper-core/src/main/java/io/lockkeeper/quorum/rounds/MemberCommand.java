package io.lockkeeper.quorum.rounds;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import java.time.Duration;

/** A command for one member. */
public sealed interface MemberCommand {

    /** For a grant; answered by {@link MemberReply.Voted}. */
    record Attempt(Claim claim) implements MemberCommand {}

    /** To give the grant that token; answered by {@link MemberReply.Renewed}. */
    record Raise(Claim claim, long token) implements MemberCommand {}

    /** To renew the grant; answered by {@link MemberReply.Renewed}. */
    record Renew(Claim claim) implements MemberCommand {}

    /** To make the grant last for the lease of this claim; answered by {@link MemberReply.Renewed}. */
    record Extend(Claim claim) implements MemberCommand {}

    /** To give up a part of the grant; answered by {@link MemberReply.Narrowed}. */
    record Narrow(Claim claim, Mode to) implements MemberCommand {}

    /** Whether a claim holds that resource; answered by {@link MemberReply.Seen}. */
    record Look(Resource resource, Duration timeout) implements MemberCommand {}

    /** To end the claim; answered by {@link MemberReply.Ended}. */
    record End(Release release) implements MemberCommand {}
}
