package io.lockkeeper.etcd.client;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * The moment at which a request gives up. It is real time, also where a test moves the keeper's clocks: what is waited for here is a
 * server.
 *
 * @param at nanoseconds of the monotonic clock
 */
public record Deadline(long at) {

    public static Deadline in(Duration timeout) {
        return new Deadline(
                now() + (timeout.compareTo(ClientPolicy.LONGEST) < 0 ? timeout : ClientPolicy.LONGEST).toNanos());
    }

    static long now() {
        return Clocks.system().now().mono();
    }

    /** A moment that is this many nanoseconds away, or this deadline if it is nearer. */
    Deadline within(long nanos) {
        long sooner = now() + nanos;
        return sooner - at < 0 ? new Deadline(sooner) : this;
    }

    /** Nanoseconds left; 0 or less when it has passed. */
    public long left() {
        return at - now();
    }

    /** Milliseconds left, rounded up, so that it is 0 only when it has passed. */
    int millis() {
        long left = left();
        return left <= 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, (left + 999_999) / 1_000_000);
    }

    public boolean hasPassed() {
        return left() <= 0;
    }

    /**
     * Takes a lock whose owner may be waiting for a server. An interrupt is kept for the caller.
     *
     * @throws StoreUnavailableException if the deadline passes first
     */
    public void lock(Lock lock) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (lock.tryLock(Math.max(0, left()), TimeUnit.NANOSECONDS)) {
                        return;
                    }
                    throw new StoreUnavailableException("etcd did not answer in time");
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
