package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A hold of one resource: a lock, exclusive or shared, or permits of a semaphore. */
public interface SingleHold extends Hold {

    /**
     * Extends a hold with a {@linkplain Leased#withFixedLease fixed lease} to last for this time from now. Sends a request to
     * the store, on the calling thread.
     *
     * <p><b>What is promised.</b> {@link ExtendOutcome#EXTENDED} means that the store confirmed that the hold had not ended and
     * keeps it for that time. {@link #remaining()} counts it from when the request was <em>sent</em>. A hold never gets shorter
     * by this: one that lasts longer already stays as it is, in whatever order several requests arrive.
     *
     * <p><b>What is not promised.</b> Without an answer nothing is extended here. A hold whose time is over is lost, and an
     * answer that arrives later does not bring it back.
     *
     * @param lease at least 100 ms
     * @throws IllegalStateException if the hold is renewed by its keeper and so needs no extending
     * @throws UnsupportedFeatureException if the store does not offer it
     */
    ExtendOutcome extend(Duration lease);

    /** Like {@link #extend} without blocking the caller. */
    CompletableFuture<ExtendOutcome> extendAsync(Duration lease);

    /**
     * The id of this hold, for logs and guards; never used twice. It is a name, not a key: only its own keeper can release an
     * ordinary hold. The id of a {@linkplain OwnedLock#portable() portable} hold is accepted by {@link
     * Lockkeeper#release(String, String)} (of permits, by {@link Lockkeeper#release(Resource, String)}) in any process, so
     * treat that one as a secret.
     */
    String id();

    /** The name of the resource that is held. */
    String name();

    /**
     * The fencing token of this grant. It is fixed when the hold is granted and never fetched again, so that a stale holder
     * cannot read that of its successor. The tokens of {@linkplain ExclusiveHold exclusive} holds of a resource strictly
     * increase, forever. Those of shared holds and permits come from the same counter and order nothing; readers of one process
     * may share one.
     */
    long token();
}
