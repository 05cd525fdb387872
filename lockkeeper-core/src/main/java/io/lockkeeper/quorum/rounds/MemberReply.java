package io.lockkeeper.quorum.rounds;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;

/** The outcome of one request to one member. */
public sealed interface MemberReply {

    /**
     * @param answer what the member said
     * @param uptime how long it had been up at least when it said so
     */
    record Voted(Answer answer, Duration uptime) implements MemberReply {}

    /** To a renewal, or to a raise of the token. */
    record Renewed(Renewal renewal) implements MemberReply {}

    /** @param held whether the claim held */
    record Narrowed(boolean held) implements MemberReply {}

    /** @param held whether a claim holds it */
    record Seen(boolean held) implements MemberReply {}

    record Ended(Release.Outcome outcome) implements MemberReply {}

    /**
     * No answer, or not in time; a late answer may still follow and is told to the round as well.
     *
     * @param failure why
     * @param sent whether the member may have received the request, so that it may yet execute it
     */
    record Failed(RuntimeException failure, boolean sent) implements MemberReply {}
}
