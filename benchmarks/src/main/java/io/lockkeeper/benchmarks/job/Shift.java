package io.lockkeeper.benchmarks.job;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one process in one round. They are made and have done their preparations before the round begins. Begin
 * and end are readings of the monotonic clock, which is the same for all processes of the machine.
 */
public final class Shift {

    /** For what was begun in time to end: the last of many that wait needs longest. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Order order;
    private final Job job;
    private final long[] inTime;
    private final long[] updates;
    private final Histogram[] histograms;
    private final Thread[] threads;
    private final CountDownLatch prepared;
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile long begin;
    private volatile long end;

    public Shift(Order order, Context context) {
        this.order = order;
        int count = order.threads();
        job = Jobs.make(order, context);
        inTime = new long[count];
        updates = new long[count];
        histograms = new Histogram[count];
        threads = new Thread[count];
        prepared = new CountDownLatch(count);
    }

    /** Returns when all threads are ready. */
    public void prepare() throws Exception {
        for (int i = 0; i < threads.length; i++) {
            int index = i;
            histograms[i] = new Histogram();
            threads[i] = new Thread(() -> work(index), "bench-" + i);
            threads[i].start();
        }
        prepared.await();
        check();
    }

    /** Lets them work; returns when all have done what they had begun. */
    public String run(long begin, long end) throws Exception {
        this.begin = begin;
        this.end = end;
        go.countDown();
        long deadline = end + PATIENCE.toNanos();
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                check();
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            thread.getName() + " hangs at " + Arrays.toString(thread.getStackTrace()));
                }
                thread.join(100);
            }
        }
        check();
        var histogram = new Histogram();
        for (Histogram each : histograms) {
            histogram.add(each);
        }
        return numbers(inTime) + " " + numbers(updates) + " " + histogram;
    }

    private void work(int index) {
        try {
            Job.Worker worker;
            try {
                worker = job.worker(index);
            } finally {
                prepared.countDown();
            }
            go.await();
            for (long now = System.nanoTime(); now < begin; now = System.nanoTime()) {
                LockSupport.parkNanos(begin - now);
            }
            long done = 0;
            long counted = 0;
            Histogram histogram = histograms[index];
            long now = System.nanoTime();
            while (!worker.over(now >= end) && failure.get() == null) {
                long nanos = worker.once();
                done++;
                now = System.nanoTime();
                if (now <= end && nanos != Job.IDLE) {
                    counted++;
                    if (nanos >= 0) {
                        histogram.record(nanos);
                    }
                }
            }
            inTime[index] = counted;
            updates[index] = worker.updates(done);
            worker.end();
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    private void check() throws Exception {
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new IllegalStateException("In " + order.line() + ": " + thrown, thrown);
        }
    }

    private static String numbers(long[] values) {
        return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(","));
    }
}
