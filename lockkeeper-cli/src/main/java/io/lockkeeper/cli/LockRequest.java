package io.lockkeeper.cli;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What {@code lockkeeper run} is to hold: a lock alone, a lock together with others, or permits. */
sealed interface LockRequest {

    /** @return null if the wait ran out; no limit waits forever */
    @Nullable
    SingleHold acquire(Lockkeeper keeper, @Nullable Duration limit) throws InterruptedException;

    static LockRequest of(String name, Duration lease, boolean shared, @Nullable String permits) {
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
            if (count > of && of > 0) {
                throw new CliException(
                        ExitCode.USAGE,
                        "--permits " + permits + " can never be had: " + count + " is more than " + of
                                + "; ask for at most " + of);
            }
            if (count > 0 && of > 0) {
                return new Permits(name, lease, count, of);
            }
        }
        throw new CliException(
                ExitCode.USAGE, "--permits '" + permits + "' is not N/M: write how many of how many, as in 1/4");
    }

    record Exclusive(String name, Duration lease) implements LockRequest {
        @Override
        public @Nullable SingleHold acquire(Lockkeeper keeper, @Nullable Duration limit) throws InterruptedException {
            var lock = keeper.lock(name).withLease(lease);
            return limit == null ? lock.acquire() : lock.tryAcquire(limit);
        }

        @Override
        public String toString() {
            return "the lock '" + name + "'";
        }
    }

    record Shared(String name, Duration lease) implements LockRequest {
        @Override
        public @Nullable SingleHold acquire(Lockkeeper keeper, @Nullable Duration limit) throws InterruptedException {
            var lock = keeper.readWriteLock(name).readLock().withLease(lease);
            return limit == null ? lock.acquire() : lock.tryAcquire(limit);
        }

        @Override
        public String toString() {
            return "the lock '" + name + "'";
        }
    }

    record Permits(String name, Duration lease, int count, int of) implements LockRequest {

        private static final Pattern SIZE = Pattern.compile("^The .* has ([0-9]+) permits in the store, not [0-9]+");

        @Override
        public @Nullable SingleHold acquire(Lockkeeper keeper, @Nullable Duration limit) throws InterruptedException {
            var semaphore = keeper.semaphore(name, of).withLease(lease);
            try {
                return limit == null ? semaphore.acquire(count) : semaphore.tryAcquire(count, limit);
            } catch (ClaimRefusedException refused) {
                throw asCommandLine(refused);
            }
        }

        /** The library's advice is to resize the semaphore, which the command cannot do. */
        private RuntimeException asCommandLine(ClaimRefusedException refused) {
            Matcher size = SIZE.matcher(String.valueOf(refused.getMessage()));
            if (!size.find()) {
                return refused;
            }
            return new CliException(
                    ExitCode.USAGE,
                    size.group() + "; use --permits " + Math.min(count, Integer.parseInt(size.group(1))) + "/"
                            + size.group(1) + ", or another name");
        }

        @Override
        public String toString() {
            return "the permits '" + name + "'";
        }
    }
}
