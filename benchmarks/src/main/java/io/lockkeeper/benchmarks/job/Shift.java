package io.lockkeeper.benchmarks.job;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one process in one round. They are made and have done their preparations before the round begins. Begin
 * and end are readings of the monotonic clock, which is the same for all processes of the machine.
 */
public final class Shift {

    private final Order order;
    private final Job job;
    private final long[] inTime;
    private final long[] all;
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
        all = new long[count];
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
        for (Thread thread : threads) {
            thread.join(TimeUnit.NANOSECONDS.toMillis(end - begin) + TimeUnit.MINUTES.toMillis(2));
            if (thread.isAlive()) {
                throw new IllegalStateException(
                        thread.getName() + " hangs at " + Arrays.toString(thread.getStackTrace()));
            }
        }
        check();
        var histogram = new Histogram();
        for (Histogram each : histograms) {
            histogram.add(each);
        }
        return numbers(inTime) + " " + numbers(all) + " " + histogram;
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
            for (long now = System.nanoTime(); now < end && failure.get() == null; ) {
                long nanos = worker.once();
                done++;
                now = System.nanoTime();
                if (now <= end) {
                    counted++;
                    if (nanos >= 0) {
                        histogram.record(nanos);
                    }
                }
            }
            inTime[index] = counted;
            all[index] = done;
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
