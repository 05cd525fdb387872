package io.lockkeeper.benchmarks.job;

import io.lockkeeper.benchmarks.peer.Mutex;

/** All threads want one of {@code permits}; how many are inside is counted. */
final class SemaphoreJob implements Job {

    private static final int SLOT = 0;
    private static final int INSIDE = 5;

    private final Order order;
    private final Context context;

    SemaphoreJob(Order order, Context context) {
        this.order = order;
        this.context = context;
    }

    @Override
    public Worker worker(int thread) {
        int permits = order.number("permits", 8);
        Slots slots = context.slots();
        Mutex permit = context.peer().semaphore(order.text("name", "bench"), permits);
        return () -> {
            long asked = System.nanoTime();
            permit.acquire();
            long got = System.nanoTime();
            long inside = slots.add(SLOT, INSIDE, 1);
            if (inside > permits) {
                throw new IllegalStateException(inside + " are inside, with " + permits + " permits");
            }
            slots.add(SLOT, Guard.COUNTER, 1);
            slots.add(SLOT, INSIDE, -1);
            permit.release();
            return got - asked;
        };
    }
}
