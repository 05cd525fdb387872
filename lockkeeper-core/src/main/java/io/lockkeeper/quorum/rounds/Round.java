package io.lockkeeper.quorum.rounds;

import io.lockkeeper.spi.Moment;
import java.util.List;

/**
 * One exchange with all members, as a state machine: requests go out, replies and failures come in, and as soon as the
 * outcome is certain it is {@linkplain #decided decided}. Replies that come after that are still told to it, and it may
 * still want something asked.
 */
public sealed interface Round permits AttemptRound, RenewRound, NarrowRound, ReleaseRound, LookRound {

    /** What to ask first; {@code now} is the moment just before the first of it is sent. */
    List<MemberRequest> start(Moment now);

    /**
     * Takes in what came of a request.
     *
     * @return what to ask next
     */
    List<MemberRequest> on(MemberRequest request, MemberReply reply, Moment now);

    boolean decided();
}
