package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One resource held: a lock exclusively or shared, or permits of a semaphore. */
public interface SingleHold extends Hold {

    /**
     * Lets a hold of a {@linkplain OwnedLock#withFixedLease fixed lease} last for this long from now. Asks the store, on the
     * calling thread.
     *
     * <p><b>What is promised.</b> {@link ExtendOutcome#EXTENDED} is the store's word that the hold had not ended and is kept
     * for that long. {@link #remaining()} counts it from when the request was <em>sent</em>. A hold never gets shorter by
     * this: one that lasts longer already stays as it is, whatever order several requests arrive in.
     *
     * <p><b>What is not.</b> Without an answer nothing gets longer here. A hold whose time is over is lost, and no answer
     * that comes later brings it back.
     *
     * @param lease at least 100 ms
     * @throws IllegalStateException if the hold is renewed by its keeper, which needs no extending
     * @throws UnsupportedFeatureException if the store cannot do that
     */
    ExtendOutcome extend(Duration lease);

    /** Like {@link #extend} without blocking the caller. */
    CompletableFuture<ExtendOutcome> extendAsync(Duration lease);

    /**
     * Names this hold in logs and to guards; never used twice. It is a name, not a key: only the keeper that has an
     * ordinary hold can release it. The id of a {@linkplain OwnedLock#portable() portable} hold is accepted by
     * {@link Lockkeeper#release(String, String)} (of permits, by {@link Lockkeeper#release(Resource, String)}) in any process,
     * so treat that one as a secret.
     */
    String id();

    /** The name of the resource that is held. */
    String name();

    /**
     * The number of this grant. It is fixed when the hold is granted and never fetched again, so that a stale holder
     * can not read its successor's. The tokens of {@linkplain ExclusiveHold exclusive} holds strictly increase for a
     * resource, for ever. Those of shared holds and permits are taken from the same counter and order nothing;
     * readers of one process may share one.
     */
    long token();
}
