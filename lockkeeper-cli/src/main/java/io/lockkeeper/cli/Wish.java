package io.lockkeeper.cli;

import io.lockkeeper.Hold;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What {@code lockkeeper run} is to hold: a lock alone, a lock together with others, or permits. */
sealed interface Wish {

    /** @return null if the wait ran out; no limit waits for ever */
    @Nullable
    Hold acquire(Lockkeeper keeper, @Nullable Duration limit) throws InterruptedException;

    static Wish of(String name, Duration lease, boolean shared, @Nullable String permits) {
        if (permits == null) {
            return shared ? new Shared(name, lease) : new Exclusive(name, lease);
        }
        if (shared) {
            throw new CliException(ExitCode.USAGE, "--shared and --permits exclude each other; leave one out");
        }
        Matcher form = Pattern.compile("([0-9]{1,6})/([0-9]{1,6})").matcher(permits);
        if (form.matches()) {
            int count = Integer.parseInt(form.group(1));
            int of = Integer.parseInt(form.group(2));
            if (1 <= count && count <= of) {
                return new Permits(name, lease, count, of);
            }
        }
        throw new CliException(
                ExitCode.USAGE, "--permits '" + permits + "' is not N/M: write how many of how many, as in 1/4");
    }

    record Exclusive(String name, Duration lease) implements Wish {
        @Override
        public @Nullable Hold acquire(Lockkeeper keeper, @Nullable Duration limit) throws InterruptedException {
            var lock = keeper.lock(name).withLease(lease);
            return limit == null ? lock.acquire() : lock.tryAcquire(limit);
        }

        @Override
        public String toString() {
            return "the lock '" + name + "'";
        }
    }

    record Shared(String name, Duration lease) implements Wish {
        @Override
        public @Nullable Hold acquire(Lockkeeper keeper, @Nullable Duration limit) throws InterruptedException {
            var lock = keeper.readWriteLock(name).readLock().withLease(lease);
            return limit == null ? lock.acquire() : lock.tryAcquire(limit);
        }

        @Override
        public String toString() {
            return "the lock '" + name + "'";
        }
    }

    record Permits(String name, Duration lease, int count, int of) implements Wish {
        @Override
        public @Nullable Hold acquire(Lockkeeper keeper, @Nullable Duration limit) throws InterruptedException {
            var semaphore = keeper.semaphore(name, of).withLease(lease);
            return limit == null ? semaphore.acquire(count) : semaphore.tryAcquire(count, limit);
        }

        @Override
        public String toString() {
            return "the permits '" + name + "'";
        }
    }
}
