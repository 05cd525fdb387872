package io.lockkeeper.benchmarks.job;

import io.lockkeeper.benchmarks.peer.Mutex;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Before the round begins the threads take {@code held} locks in all and hold them for {@code settle} milliseconds; they give
 * them back after it, and each release fails if its lock was lost. During the round the first thread locks and unlocks a
 * further name, if {@code busy} is 1; the others sleep, and seldom look up, since what they use counts as the library's.
 */
final class HeldJob implements Job {

    private static final long NAP = TimeUnit.MILLISECONDS.toNanos(500);

    private final Order order;
    private final Context context;

    HeldJob(Order order, Context context) {
        this.order = order;
        this.context = context;
    }

    @Override
    public Worker worker(int thread) throws Exception {
        int me = context.global(order, thread);
        String base = order.text("name", "bench") + "/" + order.text("round", "0") + "/";
        List<Mutex> held = new ArrayList<>();
        for (int i = thread; i < order.number("held", 0); i += order.threads()) {
            Mutex mutex = context.peer().lock(base + i);
            mutex.acquire();
            held.add(mutex);
        }
        long settled = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(order.number("settle", 0));
        for (long left = settled - System.nanoTime(); left > 0; left = settled - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        Mutex mutex = context.peer().lock(base + "busy");
        var guard = new Guard(context.slots(), me, me + 1, true);
        boolean busy = thread == 0 && order.number("busy", 0) == 1;
        return new Worker() {
            @Override
            public long once() throws Exception {
                if (busy) {
                    return LockJob.pair(mutex, guard, 0);
                }
                LockSupport.parkNanos(NAP);
                return IDLE;
            }

            @Override
            public long updates(long times) {
                return busy ? times : 0;
            }

            @Override
            public void end() throws Exception {
                for (Mutex each : held) {
                    each.release();
                }
            }
        };
    }
}
