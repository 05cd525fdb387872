package io.lockkeeper.spi;

import java.time.Duration;

/** What a store says to an attempt. */
public sealed interface Answer {

    /**
     * The claim holds.
     *
     * @param token the first fencing token, the same whenever this claim is asked again
     * @param tokens how many consecutive tokens belong to it, at least 1
     * @param validity how long it holds, counted from when the request was sent; {@link #FOREVER} if only the end of the
     *     process ends it
     */
    record Granted(long token, int tokens, Duration validity) implements Answer {}

    /**
     * Somebody else holds it, or is before this claim.
     *
     * @param retryIn when something may change without a signal, such as the next lease's end
     * @param recalled whether a sticky grant of another keeper is in the way and was just {@linkplain Keeper#recall recalled}
     */
    record Wait(Duration retryIn, boolean recalled) implements Answer {

        /** Nothing was recalled. */
        public Wait(Duration retryIn) {
            this(retryIn, false);
        }
    }

    /**
     * It is not executed and asking again in the same way is useless.
     *
     * @param cause why
     * @param message one sentence for people: what is wrong, with which value, what to do
     */
    record Refused(Cause cause, String message) implements Answer {}

    /** Why a claim is refused. */
    enum Cause {
        /** This claim was released before; a late duplicate. The engine takes a new id. */
        RELEASED,
        /** Whatever a person has to mend. */
        FINAL
    }

    /** A validity without end. */
    Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE / 2);
}
