package io.lockkeeper.spring;

/** Which lock of a name {@link Locked} takes. All kinds of one name are one resource. */
public enum LockKind {
    /** An exclusive lock; threads of one process may be served before those of others, within bounds. */
    PLAIN,
    /** An exclusive lock that is granted in the order in which the store received the claims. */
    FAIR,
    /** The read half of a read-write lock: shared with other readers. */
    READ,
    /** The write half of a read-write lock: exclusive. */
    WRITE
}
