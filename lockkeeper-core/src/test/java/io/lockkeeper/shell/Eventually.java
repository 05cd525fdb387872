package io.lockkeeper.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a limit that only a hang reaches. */
final class Eventually {

    static final Duration LIMIT = Duration.ofSeconds(30);

    private Eventually() {}

    static void eventually(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - begun < LIMIT.toNanos()) {
            LockSupport.parkNanos(2_000_000);
        }
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }
}
