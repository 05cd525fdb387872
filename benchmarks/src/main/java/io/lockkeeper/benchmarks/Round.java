package io.lockkeeper.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take locks for some time. Every lock guards a plain counter: if one update of it is lost, the lock did not
 * exclude, and the round fails.
 */
final class Round {

    /** Pairs of lock and unlock, in all and of the thread that had the fewest. */
    record Result(double perSecond, double leastShare) {}

    private final int threads;
    private final boolean oneName;
    private final Duration work;

    Round(int threads, boolean oneName, Duration work) {
        this.threads = threads;
        this.oneName = oneName;
        this.work = work;
    }

    Result run(Peer peer, Duration time) throws InterruptedException {
        long[][] guarded = new long[oneName ? 1 : threads][1];
        long[] done = new long[threads];
        CountDownLatch begin = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        long[] end = new long[1];
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int index = i;
            Thread thread = new Thread(() -> {
                try {
                    long[] counter = guarded[oneName ? 0 : index];
                    Peer.Mutex mutex = peer.mutex("bench/" + (oneName ? "one" : index));
                    begin.await();
                    while (System.nanoTime() < end[0]) {
                        mutex.run(() -> {
                            long before = counter[0];
                            spin(work);
                            counter[0] = before + 1;
                        });
                        done[index]++;
                    }
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            thread.start();
            all.add(thread);
        }
        long start = System.nanoTime();
        end[0] = start + time.toNanos();
        begin.countDown();
        for (Thread thread : all) {
            thread.join();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (failure.get() != null) {
            throw new IllegalStateException(peer.name() + " failed", failure.get());
        }
        return result(peer, guarded, done, seconds);
    }

    private Result result(Peer peer, long[][] guarded, long[] done, double seconds) {
        long counted = 0;
        for (long[] counter : guarded) {
            counted += counter[0];
        }
        long sum = 0;
        long least = Long.MAX_VALUE;
        for (long pairs : done) {
            sum += pairs;
            least = Math.min(least, pairs);
        }
        if (counted != sum) {
            throw new IllegalStateException(
                    peer.name() + " did not exclude: " + sum + " updates, of which " + (sum - counted) + " got lost");
        }
        return new Result(sum / seconds, sum == 0 ? 0 : least * (double) threads / sum);
    }

    private static void spin(Duration time) {
        if (!time.isZero()) {
            long until = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        }
    }
}
