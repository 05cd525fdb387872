package io.lockkeeper.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** What a keeper knows of one of its claims: where its parts stand, how often it got nothing, how its end went. */
final class Entry {

    /** One attempt or release at a time. */
    final ReentrantLock lock = new ReentrantLock();

    /** The claim itself, then the slots of a claim for permits; empty while it waits. */
    volatile List<Standing> parts = List.of();

    /** The gate that a writer shut while it waits for readers to leave; see {@link Gates}. */
    List<Standing> gate = List.of();

    /** Rounds that end the parts, once that began. */
    final List<ReleaseRound> endings = new ArrayList<>();

    long token;
    int failures;
    boolean ended;
}
