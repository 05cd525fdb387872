package io.lockkeeper.redis;

import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a generous end. A store that did not answer in time is asked again. */
final class Eventually {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Eventually() {}

    static void holds(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isTrue(condition)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("The condition did not come true within " + PATIENCE);
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private static boolean isTrue(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (StoreUnavailableException unanswered) {
            return false;
        }
    }
}
