package io.lockkeeper.testkit;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clocks that only move when told to, both at once or the wall clock alone. Safe for use by many threads; each reads
 * both clocks at the same moment.
 *
 * <p>A keeper with these clocks waits on them: its timer and the threads that wait for a lock go on when the clocks have reached
 * what they wait for. {@link VirtualTime} moves them whenever nothing else is left to do.
 *
 * <p><b>Invariant.</b> A thread that is parked here and due is unparked. A thread enters itself before it looks at the clock for the
 * last time, and the clock is moved before those who are due are looked for; in the other order, a move between the look and the
 * entry would wake nobody. And parking takes no lock: waiting for it could use up the permit of somebody who unparked this
 * thread for what it waits for.
 */
public final class ManualClocks implements Clocks {

    /** An arbitrary moment whose two parts differ, so that code that mixes them up is found out. */
    private static final Moment START = new Moment(5_000_000_000L, 1_700_000_000_000_000_000L);

    private static final long POLL = Duration.ofMillis(3).toNanos();

    /** Where nothing moves the clocks by itself, threads look around this often for what they wait for. */
    private static final long LOOK_AROUND = Duration.ofMillis(50).toNanos();

    /** For those who move the clocks. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<Thread, Parked> parked = new ConcurrentHashMap<>();
    private volatile Moment now = START;
    private volatile boolean driven;
    /** Counts what may make a condition true: time that passed, and those who began or ended to wait for one. */
    private final AtomicLong arrivals = new AtomicLong();

    /** A condition that a thread waits for, and when it was looked at last, by that count. */
    private static final class Look {
        long lookedAt = -1;
    }

    private record Parked(long until, @Nullable Look look) {}

    @Override
    public Moment now() {
        return now;
    }

    @Override
    public void park(Object blocker, long until) {
        park(blocker, until, null);
    }

    /**
     * Waits until a condition holds that no thread announces, asking again and again: where {@link VirtualTime} moves the clocks,
     * each time when nobody else has anything to do, before and after time passes; otherwise every few milliseconds of real time.
     *
     * @return false if it did not hold when the clocks had reached that moment, or if this thread was interrupted
     */
    public boolean await(BooleanSupplier condition, long until) {
        var look = new Look();
        arrivals.incrementAndGet();
        try {
            while (!condition.getAsBoolean()) {
                if (now.mono() >= until || Thread.currentThread().isInterrupted()) {
                    return false;
                }
                if (driven) {
                    park(this, until, look);
                } else {
                    LockSupport.parkNanos(this, POLL);
                }
            }
            return true;
        } finally {
            // Another condition may hold now because of what this one's thread does next.
            arrivals.incrementAndGet();
        }
    }

    private void park(Object blocker, long until, @Nullable Look look) {
        Thread me = Thread.currentThread();
        parked.put(me, new Parked(until, look));
        try {
            if (now.mono() >= until) {
                return;
            }
            if (driven) {
                LockSupport.park(blocker);
            } else {
                LockSupport.parkNanos(blocker, Math.min(LOOK_AROUND, until - now.mono()));
            }
        } finally {
            parked.remove(me);
        }
    }

    /** Time passes. */
    public void advance(Duration time) {
        move(notNegative(time), time.toNanos());
    }

    /** The machine is suspended: the wall clock goes on, the monotonic one stands still. */
    public void suspend(Duration time) {
        move(0, notNegative(time));
    }

    /** Somebody sets the wall clock, forwards or (with a negative duration) back. */
    public void stepWall(Duration step) {
        move(0, step.toNanos());
    }

    /** Whether {@link VirtualTime} moves the clocks from now on. */
    void driven(boolean isDriven) {
        driven = isDriven;
        wakeAll();
    }

    /** Everybody waits: those who wait for a condition look first; if that changes nothing, time passes until somebody is due. */
    void step() {
        lock.lock();
        try {
            if (wakeLookers(arrivals.get())) {
                return;
            }
            long next = parked.values().stream().mapToLong(Parked::until).min().orElse(Long.MAX_VALUE);
            if (next != Long.MAX_VALUE) {
                long step = Math.max(0, next - now.mono());
                now = new Moment(now.mono() + step, now.wall() + step);
                arrivals.incrementAndGet();
                wakeDue();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Those who wait for a condition look now, though others are busy. */
    void wakeLookers() {
        parked.forEach((thread, one) -> {
            if (one.look != null) {
                LockSupport.unpark(thread);
            }
        });
    }

    /** @return whether there was anybody who had not looked since that count */
    private boolean wakeLookers(long count) {
        boolean any = false;
        for (Map.Entry<Thread, Parked> entry : parked.entrySet()) {
            Look look = entry.getValue().look;
            if (look != null && look.lookedAt != count) {
                look.lookedAt = count;
                LockSupport.unpark(entry.getKey());
                any = true;
            }
        }
        return any;
    }

    private void wakeAll() {
        lock.lock();
        try {
            parked.keySet().forEach(LockSupport::unpark);
        } finally {
            lock.unlock();
        }
    }

    private void wakeDue() {
        parked.forEach((thread, one) -> {
            if (one.until <= now.mono()) {
                LockSupport.unpark(thread);
            }
        });
    }

    private void move(long mono, long wall) {
        lock.lock();
        try {
            now = new Moment(now.mono() + mono, now.wall() + wall);
            wakeDue();
        } finally {
            lock.unlock();
        }
    }

    private static long notNegative(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("Time cannot pass by " + time + "; use stepWall to set the clock back");
        }
        return time.toNanos();
    }
}
