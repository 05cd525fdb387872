package io.lockkeeper.benchmarks.job;

import io.lockkeeper.benchmarks.peer.Mutex;
import io.lockkeeper.benchmarks.peer.ReadWrite;
import java.util.SplittableRandom;

/**
 * All threads want one read-write lock, {@code reads} of a hundred times to read. A writer changes two numbers one after
 * the other; a reader must find them equal, and the same when it leaves as when it came.
 */
final class ReadWriteJob implements Job {

    private static final int SLOT = 0;
    private static final int FIRST = Guard.COUNTER;
    private static final int SECOND = 5;

    private final Order order;
    private final Context context;

    ReadWriteJob(Order order, Context context) {
        this.order = order;
        this.context = context;
    }

    @Override
    public Worker worker(int thread) {
        int me = context.global(order, thread);
        Slots slots = context.slots();
        ReadWrite lock = context.peer().readWrite(order.text("name", "bench"));
        var random = new SplittableRandom(me);
        var guard = new Guard(slots, SLOT, me + 1, false);
        int reads = order.number("reads", 95);
        return new Worker() {
            private long writes;

            @Override
            public long once() throws Exception {
                return random.nextInt(100) < reads ? read() : write();
            }

            private long read() throws Exception {
                long waited = take(lock.read());
                long first = slots.get(SLOT, FIRST);
                long second = slots.get(SLOT, SECOND);
                long again = slots.getVolatile(SLOT, FIRST);
                if (first != second || first != again) {
                    throw new IllegalStateException("A reader met a writer");
                }
                lock.read().release();
                return waited;
            }

            private long write() throws Exception {
                long waited = take(lock.write());
                guard.enter(0);
                guard.leave();
                slots.set(SLOT, SECOND, slots.get(SLOT, FIRST));
                lock.write().release();
                writes++;
                return waited;
            }

            @Override
            public long updates(long times) {
                return writes;
            }
        };
    }

    private static long take(Mutex mutex) throws Exception {
        long asked = System.nanoTime();
        mutex.acquire();
        return System.nanoTime() - asked;
    }
}
