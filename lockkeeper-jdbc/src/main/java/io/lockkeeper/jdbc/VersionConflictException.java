package io.lockkeeper.jdbc;

import io.lockkeeper.LockkeeperException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a row was changed by others each time between reading and writing it, until the attempts or the time were used up.
 * Nothing was written.
 */
public final class VersionConflictException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    private final int attempts;
    private final long firstVersion;
    private final long lastVersion;

    VersionConflictException(String row, int attempts, long first, long last, long millis, @Nullable Throwable cause) {
        super(
                "The row of " + row + " was changed by others in each of " + attempts + " attempts within " + millis
                        + " ms, from version " + first + " to " + last
                        + "; allow more attempts, or lock the row (RowLock) if that happens often",
                cause);
        this.attempts = attempts;
        this.firstVersion = first;
        this.lastVersion = last;
    }

    public int attempts() {
        return attempts;
    }

    /** The version that the first attempt read. */
    public long firstVersion() {
        return firstVersion;
    }

    /** The version that the last attempt read. */
    public long lastVersion() {
        return lastVersion;
    }
}
