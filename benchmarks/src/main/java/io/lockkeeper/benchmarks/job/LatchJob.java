package io.lockkeeper.benchmarks.job;

import io.lockkeeper.benchmarks.peer.Latch;

/**
 * All threads of all processes meet, again and again: each counts the next latch down and waits for it. The first thread
 * sets each latch before anybody can need it, that is before it counts down the one before, and deletes the one that all
 * have left. It alone decides which latch is the last, before it counts that one down, so that all stop at the same.
 */
final class LatchJob implements Job {

    private static final int SLOT = 0;
    private static final int LAST = 5;

    private final Order order;
    private final Context context;

    LatchJob(Order order, Context context) {
        this.order = order;
        this.context = context;
    }

    @Override
    public Worker worker(int thread) throws Exception {
        int me = context.global(order, thread);
        int parties = order.threads() * order.number("processes", 1);
        Slots slots = context.slots();
        if (me == 0) {
            latch(1).set(parties);
        }
        return new Worker() {
            private long number;

            @Override
            public long once() throws Exception {
                number++;
                Latch latch = latch(number);
                if (me == 0) {
                    latch(number + 1).set(parties);
                }
                slots.setVolatile(me, Guard.COUNTER, number);
                long asked = System.nanoTime();
                latch.countDown();
                latch.await();
                long passed = System.nanoTime() - asked;
                for (int i = 0; i < parties; i++) {
                    if (slots.getVolatile(i, Guard.COUNTER) < number) {
                        throw new IllegalStateException("The latch opened before all had counted it down");
                    }
                }
                if (me == 0 && number > 1) {
                    latch(number - 1).delete();
                }
                return passed;
            }

            @Override
            public boolean over(boolean timeIsUp) {
                if (me == 0 && timeIsUp && slots.getVolatile(SLOT, LAST) == 0) {
                    slots.setVolatile(SLOT, LAST, number + 1);
                }
                long last = slots.getVolatile(SLOT, LAST);
                return last != 0 && number >= last;
            }

            @Override
            public void end() throws Exception {
                if (me == 0) {
                    latch(number + 1).delete();
                }
            }
        };
    }

    private Latch latch(long number) {
        return context.peer().latch(order.text("name", "bench") + "/" + order.text("round", "0") + "/" + number);
    }
}
