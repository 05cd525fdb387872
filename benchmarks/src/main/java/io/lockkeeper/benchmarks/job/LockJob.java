package io.lockkeeper.benchmarks.job;

import io.lockkeeper.benchmarks.peer.Mutex;
import io.lockkeeper.benchmarks.peer.Peer;

/**
 * Lock, work, unlock. Settings: {@code kind} of lock, {@code share} (all threads want the same {@code one}, or each its
 * {@code own}), {@code names} that each thread goes through in turn, {@code work} under the lock in microseconds.
 */
final class LockJob implements Job {

    private final Order order;
    private final Context context;

    LockJob(Order order, Context context) {
        this.order = order;
        this.context = context;
    }

    @Override
    public Worker worker(int thread) {
        int me = context.global(order, thread);
        boolean one = order.text("share", "one").equals("one");
        int names = order.number("names", 1);
        String base = order.text("name", "bench") + "/" + (one ? "one" : me);
        var guard = new Guard(context.slots(), one ? 0 : me, me + 1, names == 1);
        int work = order.number("work", 0) * 1000;
        if (names == 1) {
            Mutex mutex = mutex(base);
            return () -> pair(mutex, guard, work);
        }
        return new Worker() {
            private int next;

            @Override
            public long once() throws Exception {
                next = next + 1 == names ? 0 : next + 1;
                return pair(mutex(base + "/" + next), guard, work);
            }
        };
    }

    private Mutex mutex(String name) {
        Peer peer = context.peer();
        return switch (order.text("kind", "lock")) {
            case "lock" -> peer.lock(name);
            case "fair" -> peer.fairLock(name);
            case "sticky" -> peer.stickyLock(name);
            default -> throw new IllegalArgumentException("No such kind of lock: " + order);
        };
    }

    private static long pair(Mutex mutex, Guard guard, int work) throws Exception {
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
