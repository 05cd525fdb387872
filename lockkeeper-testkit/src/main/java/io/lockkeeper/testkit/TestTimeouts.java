package io.lockkeeper.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process will do, by asking again and again. */
public final class TestTimeouts {

    /** Long enough for a busy machine; a wait that lasts this long has failed. */
    public static final Duration DEFAULT = Duration.ofSeconds(60);

    private static final long PAUSE_NANOS = 2_000_000;

    private TestTimeouts() {}

    /**
     * Returns when the condition holds.
     *
     * @param what is expected, as in "the server is up"
     * @throws AssertionError if it does not hold in time
     */
    public static void until(String what, BooleanSupplier condition) {
        until(what, DEFAULT, condition);
    }

    /**
     * Returns when the condition holds.
     *
     * @throws AssertionError if it does not hold in time
     */
    public static void until(String what, Duration limit, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new AssertionError("After " + limit + " it is still not so that " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
