package io.lockkeeper.benchmarks.job;

import io.lockkeeper.benchmarks.peer.Mutex;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The first process holds a lock during the whole round; the second one asks for it again and again and does not wait. */
final class RefusedJob implements Job {

    private static final long NAP = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
    private static final int SLOT = 0;
    private static final int TAKEN = 5;

    private final Order order;
    private final Context context;

    RefusedJob(Order order, Context context) {
        this.order = order;
        this.context = context;
    }

    @Override
    public Worker worker(int thread) throws Exception {
        String name = order.text("name", "bench") + "/" + order.text("round", "0");
        if (context.member() == 0) {
            Mutex mutex = context.peer().lock(name);
            mutex.acquire();
            context.slots().setVolatile(SLOT, TAKEN, 1);
            return new Holder(mutex);
        }
        long deadline = System.nanoTime() + PATIENCE;
        while (context.slots().getVolatile(SLOT, TAKEN) == 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(NAP);
        }
        return new Worker() {
            @Override
            public long once() throws Exception {
                long asked = System.nanoTime();
                if (context.peer().tryOnce(name)) {
                    throw new IllegalStateException("A lock was had that another process holds");
                }
                return System.nanoTime() - asked;
            }

            @Override
            public long updates(long times) {
                return 0;
            }
        };
    }

    private record Holder(Mutex mutex) implements Worker {

        @Override
        public long once() {
            LockSupport.parkNanos(NAP);
            return IDLE;
        }

        @Override
        public long updates(long times) {
            return 0;
        }

        /** Another process that asked in time may still wait for its answer. */
        @Override
        public void end() throws Exception {
            LockSupport.parkNanos(5 * NAP);
            mutex.release();
        }
    }
}
