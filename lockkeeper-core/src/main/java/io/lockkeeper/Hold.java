package io.lockkeeper;

/** One resource held: a lock exclusively or shared, or permits of a semaphore. */
public interface Hold extends Tenure {

    /**
     * Names this hold in logs and to guards; never used twice. It is a name, not a key: only the keeper that has an
     * ordinary hold can release it. The id of a {@linkplain OwnedLock#portable() portable} hold is accepted by
     * {@link Lockkeeper#release(String, String)} in any process, so treat that one as a secret.
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
