package io.lockkeeper.engine;

import io.lockkeeper.spi.Claim;

/** What a waiter has to do next. */
public sealed interface Step {

    /** Send the claim to the store, then call {@link ResourceEngine#answered} or {@link ResourceEngine#failed}. */
    record Attempt(PendingClaim pending, Claim claim) implements Step {}

    /**
     * Wait until woken, or until this moment of the monotonic clock; then take the next turn.
     *
     * @param until {@link Long#MAX_VALUE} if there is nothing to do unless woken
     */
    record Park(long until) implements Step {

        public static final Park UNTIL_WOKEN = new Park(Long.MAX_VALUE);
    }

    /** It is acquired. */
    record Served(EngineHold holding) implements Step {}

    /** It cannot be had now, and this waiter does not wait: it tried once, or left. */
    record NotNow() implements Step {

        public static final NotNow NOT_NOW = new NotNow();
    }

    /** It cannot be had. */
    record Failed(RuntimeException failure) implements Step {}
}
