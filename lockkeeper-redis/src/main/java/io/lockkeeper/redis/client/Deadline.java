package io.lockkeeper.redis.client;

import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * The moment at which a request gives up. It is real time, also where a test moves the keeper's clocks: what is waited for
 * here is a server.
 */
public record Deadline(long at) {

    private static final long LONGEST = ClientPolicy.NO_DEADLINE.toNanos();

    public static Deadline in(Duration timeout) {
        return new Deadline(now() + (timeout.compareTo(ClientPolicy.NO_DEADLINE) < 0 ? timeout.toNanos() : LONGEST));
    }

    /** A moment that is this many nanoseconds away, or this deadline if it is nearer. */
    Deadline within(long nanos) {
        long sooner = now() + nanos;
        return sooner - at < 0 ? new Deadline(sooner) : this;
    }

    static long now() {
        return Clocks.system().now().mono();
    }

    /** Nanoseconds left; 0 or less when it has passed. */
    public long left() {
        return at - now();
    }

    /** Milliseconds left, rounded up, so that it is 0 only when it has passed. */
    public int millis() {
        long left = left();
        return left <= 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, (left + 999_999) / 1_000_000);
    }

    /** Takes a lock before the deadline, and says whether it did. An interrupt does not end the wait, and is kept. */
    boolean lock(Lock lock) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return lock.tryLock(left(), TimeUnit.NANOSECONDS);
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

    public boolean hasPassed() {
        return left() <= 0;
    }
}
