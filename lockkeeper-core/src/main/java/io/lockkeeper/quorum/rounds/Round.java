package io.lockkeeper.quorum.rounds;

import io.lockkeeper.spi.Moment;
import java.util.List;

/**
 * One exchange with all members, as a state machine: requests go out, replies and failures come in, and as soon as the
 * outcome is certain it is {@linkplain #decided decided}. Replies that come after that are still passed to it, and it may
 * still answer with requests.
 */
public sealed interface Round permits AttemptRound, RenewRound, NarrowRound, ReleaseRound, LookRound {

    /** The first requests; {@code now} is the moment just before the first of it is sent. */
    List<MemberRequest> start(Moment now);

    /**
     * Takes in the outcome of a request.
     *
     * @return the next requests
     */
    List<MemberRequest> on(MemberRequest request, MemberReply reply, Moment now);

    boolean decided();
}
