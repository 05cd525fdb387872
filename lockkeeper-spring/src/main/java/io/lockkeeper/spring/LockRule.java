package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;

/**
 * What one annotation of a method says, read and checked when the application starts.
 *
 * @param text the names as written, for messages
 * @param names makes the names
 * @param kind which lock; of no meaning for a semaphore
 * @param permits the size of the semaphore; 0 for a lock
 * @param waitFor how long to wait; null for no timeout
 * @param lease the renewed lease; null for the keeper's
 * @param fixedLease the lease that is not renewed; null for none
 * @param keeper the bean; empty for the only or primary one
 * @param condition whether the rule applies; null for always
 * @param atLeast how long the lock is kept at least
 * @param fallback the method to call in place; null unless {@link WhenBusy#FALLBACK}
 * @param fence the guard; null for none
 * @param ownTransaction whether the method has a transaction of its own, also if one is open already
 */
record LockRule(
        String text,
        LockNames names,
        LockKind kind,
        int permits,
        @Nullable Duration waitFor,
        @Nullable Duration lease,
        @Nullable Duration fixedLease,
        String keeper,
        @Nullable Expression condition,
        Duration atLeast,
        WhenBusy whenBusy,
        @Nullable Method fallback,
        OnLost onLost,
        @Nullable String fence,
        boolean ownTransaction) {

    /** For methods that run on the leader: nothing is taken, but what is lost is noticed. */
    static LockRule ofLeadership(String text) {
        return new LockRule(
                text,
                new LockNames.Templates(List.of()),
                LockKind.PLAIN,
                0,
                Duration.ZERO,
                null,
                null,
                "",
                null,
                Duration.ZERO,
                WhenBusy.SKIP,
                null,
                OnLost.THROW,
                null,
                false);
    }

    boolean isSemaphore() {
        return permits > 0;
    }

    boolean isExclusive() {
        return !isSemaphore() && kind != LockKind.READ;
    }
}
