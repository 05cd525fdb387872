package io.lockkeeper.benchmarks.job;

import io.lockkeeper.benchmarks.peer.Mutex;
import io.lockkeeper.benchmarks.peer.Peer;
import java.util.SplittableRandom;

/**
 * Lock, work, unlock. Settings: {@code kind} of lock ({@code lock}, {@code fair}, or {@code again} by its own thread), {@code share} (all threads want the same {@code one}, or each its
 * {@code own}), {@code names} of which each thread takes any, {@code work} under the lock in microseconds.
 */
final class LockJob implements Job {

    private final Order order;
    private final Context context;

    LockJob(Order order, Context context) {
        this.order = order;
        this.context = context;
    }

    @Override
    public Worker worker(int thread) throws Exception {
        int me = context.global(order, thread);
        boolean one = order.text("share", "one").equals("one");
        int names = order.number("names", 1);
        String base = order.text("name", "bench") + "/" + (one ? "one" : me);
        var guard = new Guard(context.slots(), one ? 0 : me, me + 1, names == 1);
        int work = order.number("work", 0) * 1000;
        if (names == 1) {
            Mutex mutex = mutex(base);
            return order.text("kind", "lock").equals("again") ? again(mutex, guard) : () -> pair(mutex, guard, work);
        }
        var random = new SplittableRandom(me);
        return () -> pair(mutex(base + "/" + random.nextInt(names)), guard, work);
    }

    /** The thread has it during the whole round and takes it once more each time. */
    private static Worker again(Mutex mutex, Guard guard) throws Exception {
        mutex.acquire();
        return new Worker() {
            @Override
            public long once() throws Exception {
                return pair(mutex, guard, 0);
            }

            @Override
            public void end() throws Exception {
                mutex.release();
            }
        };
    }

    private Mutex mutex(String name) {
        Peer peer = context.peer();
        return switch (order.text("kind", "lock")) {
            case "lock" -> peer.lock(name);
            case "fair" -> peer.fairLock(name);
            case "again" -> peer.reentrantLock(name);
            default -> throw new IllegalArgumentException("No such kind of lock: " + order);
        };
    }

    static long pair(Mutex mutex, Guard guard, int work) throws Exception {
        long asked = System.nanoTime();
        long token = mutex.acquire();
        long got = System.nanoTime();
        guard.enter(token);
        if (work > 0) {
            while (System.nanoTime() - got < work) {
                Thread.onSpinWait();
            }
        }
        guard.leave();
        mutex.release();
        return got - asked;
    }
}
