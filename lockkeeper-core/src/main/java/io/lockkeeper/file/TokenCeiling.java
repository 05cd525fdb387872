package io.lockkeeper.file;

/**
 * Sees to it that tokens do not go down, also if the power fails and the clock is wrong afterwards.
 *
 * <p>What the kernel has not written when the power fails is lost, and with it the last tokens of some ledgers. Forcing each
 * ledger to disk before each grant takes longer than all else together. Instead one bound for the whole store is forced, a
 * second of tokens ahead, and tokens up to it need no more; a ledger from before the last start of the machine goes on above
 * the bound that was in force then. Where starts cannot be told apart every token is forced.
 *
 * <p>Invariant: a token is given only if a bound at or above it <em>has been</em> forced, by the process that gives the token. Were it
 * enough that the file says so, a process that is killed between writing and forcing would make the others rely on what is
 * not on disk.
 */
final class TokenCeiling {

    /** Tokens are microseconds if nothing pushes them. */
    private static final long AHEAD = 1_000_000;

    private volatile long forced;

    /** Returns when tokens up to this one may be given. */
    void cover(Folder folder, long token, Deadline deadline) {
        if (token > forced) {
            long ahead = folder.boot().isEmpty() ? 0 : AHEAD;
            forced = StoreFile.cover(folder, token, ahead, deadline).ceiling();
        }
    }
}
