package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * The result of a release and of the attempt that was sent along with it. Each half is answered or not on its own.
 *
 * @param outcome the outcome of the release; null if it was not answered
 * @param releaseFailure why the release was not answered; null if it was
 * @param answer the answer to the attempt; null if it was not answered or not sent
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
