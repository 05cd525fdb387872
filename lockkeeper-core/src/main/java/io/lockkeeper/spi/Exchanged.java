package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * What came of a release and the attempt that was sent along with it. Each has its own fate.
 *
 * @param outcome of the release; null if it was not answered
 * @param releaseFailure why the release was not answered; null if it was
 * @param answer to the attempt; null if there is none
 * @param attemptFailure why the attempt was not answered, though perhaps executed; null if it was answered or never sent
 */
public record Exchanged(
        Release.@Nullable Outcome outcome,
        @Nullable RuntimeException releaseFailure,
        @Nullable Answer answer,
        @Nullable RuntimeException attemptFailure) {

    /** The release was not answered, and the attempt not sent. */
    public static Exchanged unanswered(RuntimeException failure) {
        return new Exchanged(null, failure, null, null);
    }
}
