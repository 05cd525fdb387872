package io.lockkeeper.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A store's answer to an attempt. */
public sealed interface Answer {

    /**
     * The claim is granted.
     *
     * @param token the first fencing token, the same for every attempt of this claim
     * @param tokens how many consecutive tokens belong to the grant, at least 1
     * @param validity how long the grant lasts, counted from when the request was sent; {@link #FOREVER} if only the end of
     *     the process ends it; of a grant in a session the claim's lease, since the session has an end of its own
     * @param session the session in which it was granted and with which it ends, however long it is valid; null if the store has
     *     none
     */
    record Granted(
            long token,
            int tokens,
            Duration validity,
            @Nullable Session session) implements Answer {

        /** A grant that belongs to no session. */
        public Granted(long token, int tokens, Duration validity) {
            this(token, tokens, validity, null);
        }
    }

    /**
     * Another claim holds the resource, or is before this one in the queue.
     *
     * @param retryIn when the keeper is to repeat the attempt if no signal comes, such as at the end of the next lease
     * @param recalled whether a sticky grant of another keeper is in the way and was just {@linkplain Keeper#recall recalled}
     */
    record Wait(Duration retryIn, boolean recalled) implements Answer {

        /** Nothing was recalled. */
        public Wait(Duration retryIn) {
            this(retryIn, false);
        }
    }

    /**
     * The attempt was not executed, and repeating it is useless.
     *
     * @param cause why
     * @param message one sentence for people: what is wrong, with which value, what to do
     */
    record Refused(Cause cause, String message) implements Answer {}

    /** Why a claim is refused. */
    enum Cause {
        /** The claim was released before, so this is a late duplicate, or it lost its place. The engine takes a new id. */
        RELEASED,
        /** Something is wrong that a person has to mend. */
        FINAL
    }

    /** The validity of a grant that does not end by itself. */
    Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE / 2);
}
