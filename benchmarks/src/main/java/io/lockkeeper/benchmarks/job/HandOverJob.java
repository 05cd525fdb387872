package io.lockkeeper.benchmarks.job;

import io.lockkeeper.benchmarks.peer.Mutex;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Two processes give one lock to each other. The holder waits until the other has asked for it one to three
 * milliseconds ago (at random, so that those who poll are met at any point of their pauses), notes the time and releases;
 * the other notes when it has it. Nobody asks again before the other has it, so each duration is of one hand-over that
 * nothing else delays, and none is left out.
 */
final class HandOverJob implements Job {

    private static final int SLOT = 0;
    private static final int HOLDER = 5;
    private static final int RELEASED_AT = 6;
    private static final int ASKS = 7;
    private static final long LONG_ENOUGH = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LOOK = TimeUnit.MICROSECONDS.toNanos(50);
    /** At the end of a round the other does not come any more. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private final Order order;
    private final Context context;

    HandOverJob(Order order, Context context) {
        this.order = order;
        this.context = context;
    }

    @Override
    public Worker worker(int thread) {
        int me = context.member();
        int other = 1 - me;
        Slots slots = context.slots();
        Mutex mutex = context.peer().lock(order.text("name", "bench"));
        var guard = new Guard(slots, SLOT, me + 1, true);
        var random = new SplittableRandom(me);
        return () -> {
            await(() -> slots.getVolatile(SLOT, HOLDER) != me + 1);
            slots.setVolatile(SLOT, ASKS + me, 1);
            long token = mutex.acquire();
            long got = System.nanoTime();
            slots.setVolatile(SLOT, ASKS + me, 0);
            long released = slots.getVolatile(SLOT, RELEASED_AT);
            guard.enter(token);
            slots.setVolatile(SLOT, HOLDER, me + 1);
            boolean asked = await(() -> slots.getVolatile(SLOT, ASKS + other) == 1);
            LockSupport.parkNanos(random.nextLong(LONG_ENOUGH, 3 * LONG_ENOUGH));
            guard.leave();
            slots.setVolatile(SLOT, RELEASED_AT, asked ? System.nanoTime() : 0);
            mutex.release();
            return released == 0 ? -1 : got - released;
        };
    }

    private interface Condition {
        boolean holds();
    }

    private static boolean await(Condition condition) {
        long deadline = System.nanoTime() + PATIENCE;
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(LOOK);
        }
        return true;
    }
}
