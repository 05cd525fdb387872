package io.lockkeeper.faults.history;

/**
 * One access to a guarded register, in the order in which the register saw them.
 *
 * @param base for writes, the value that the writer had read before
 * @param before the value at the moment of the access; an admitted write makes it {@code base + 1}
 * @param admitted whether the register let it through
 */
public record Access(
        Kind kind,
        long at,
        String name,
        String client,
        long token,
        String holdId,
        long base,
        long before,
        boolean admitted) {

    public enum Kind {
        /** A write to U, which checks nothing. */
        PLAIN_WRITE,
        /** A read of F, which checks token and hold. */
        FENCED_READ,
        /** A write to F, which checks token and hold. */
        FENCED_WRITE
    }
}
