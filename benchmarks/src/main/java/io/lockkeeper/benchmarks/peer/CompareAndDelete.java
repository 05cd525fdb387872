package io.lockkeeper.benchmarks.peer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What people write by hand: {@code SET NX PX}, a poll every millisecond, and a script that deletes one's own value only. */
final class CompareAndDelete {

    static final String SCRIPT =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    private CompareAndDelete() {}

    static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }

    /** @param deleted what the script answered */
    static void check(Object deleted) {
        if (!Long.valueOf(1).equals(deleted)) {
            throw new IllegalStateException("The lock was not held any more");
        }
    }
}
