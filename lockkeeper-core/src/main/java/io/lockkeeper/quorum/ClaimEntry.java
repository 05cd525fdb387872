package io.lockkeeper.quorum;

import io.lockkeeper.quorum.rounds.ClaimVotes;
import io.lockkeeper.quorum.rounds.ReleaseRound;
import io.lockkeeper.spi.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** What a keeper knows of one of its claims: where its parts stand, how often it got nothing, how its end went. */
final class ClaimEntry {

    private static final Moment NEVER = new Moment(0, 0);

    /** One attempt or release at a time. */
    final ReentrantLock lock = new ReentrantLock();

    /** The claim itself, then the slots of a claim for permits; empty while it waits. */
    volatile List<ClaimVotes> parts = List.of();

    /** The turn, if it is next; see {@link TurnLocks}. */
    List<ClaimVotes> turn = List.of();

    Moment turnSince = NEVER;
    int polls;

    /** Rounds that end the parts, once that began. */
    final List<ReleaseRound> endings = new ArrayList<>();

    Moment heldSince = NEVER;
    long token;
    int failures;
    volatile boolean ended;
}
