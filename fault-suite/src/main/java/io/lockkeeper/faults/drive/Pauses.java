package io.lockkeeper.faults.drive;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Letting time pass, which is what most faults need. */
public final class Pauses {

    private Pauses() {}

    public static void forTime(Duration time) {
        until(() -> false, time);
    }

    /** @return whether the condition came true in time */
    public static boolean until(BooleanSupplier condition, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            LockSupport.parkNanos(Math.min(left, 10_000_000));
        }
        return true;
    }

    /** A random multiple of the given time, between the two. */
    public static Duration times(Duration time, double least, double most, SplittableRandom random) {
        return Duration.ofNanos((long) (time.toNanos() * random.nextDouble(least, most)));
    }
}
