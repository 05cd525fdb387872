package io.lockkeeper.file;

import io.lockkeeper.StoreUnavailableException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread of this JVM at a time have a file open.
 *
 * <p>Invariant: in one JVM a file of the folder is opened by one thread at a time and closed before the next may open it.
 * On POSIX systems closing <em>any</em> channel of a file gives up <em>all</em> locks that the process has on it. So if
 * thread A had it open and locked while B opened it, found it locked, and closed it again, A would still take itself
 * for the only one while another process comes in.
 *
 * <p>That must hold too when this class is there twice, loaded by two class loaders (two web applications with the library
 * in each). What they have in common are the system properties, and those take care to be atomic. A property's value is a
 * string, so that programs that print all of them are not surprised; it is there only while a file is open, unless a
 * copy of the properties that was made meanwhile is restored ({@link JvmMark}).
 */
final class JvmFileLocks {

    private static final String PROPERTY = "io.lockkeeper.file.open:";

    private static final ConcurrentHashMap<String, Gate> GATES = new ConcurrentHashMap<>();

    private JvmFileLocks() {}

    /** The gate of one file. It is there only while it is used, so names leave nothing behind. */
    static final class Gate {
        private final String key;
        private final ReentrantLock lock = new ReentrantLock();
        private int users;

        private Gate(String key) {
            this.key = key;
        }

        void leave() {
            System.getProperties().remove(PROPERTY + key);
            lock.unlock();
            leftBy(key);
        }
    }

    /** @param key names the file, the same under whatever path it is opened */
    static Gate enter(String key, Deadline deadline) {
        Gate gate = GATES.compute(key, (k, known) -> {
            Gate used = known == null ? new Gate(k) : known;
            used.users++;
            return used;
        });
        boolean alone = false;
        boolean in = false;
        try {
            alone = gate.lock.tryLock() || gate.lock.tryLock(deadline.left(), TimeUnit.NANOSECONDS);
            in = alone && isFirstInJvm(key, deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!in) {
                if (alone) {
                    gate.lock.unlock();
                }
                leftBy(key);
            }
        }
        if (!in) {
            throw new StoreUnavailableException(
                    "The file " + key + " was used by other threads of this process for longer than the timeout");
        }
        return gate;
    }

    private static boolean isFirstInJvm(String key, Deadline deadline) {
        long pause = FilePolicy.SHORTEST_LOCK_PAUSE.toNanos();
        while (!isEntered(PROPERTY + key)) {
            if (deadline.hasPassed()) {
                return false;
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, FilePolicy.LONGEST_OPENING_PAUSE.toNanos());
        }
        return true;
    }

    /** With the gate's lock, so what this class left there before is stale. */
    private static boolean isEntered(String property) {
        Object found = System.getProperties().putIfAbsent(property, JvmMark.OWN);
        return found == null
                || (!JvmMark.isAnotherLoaders(found.toString())
                        && System.getProperties().replace(property, found, JvmMark.OWN));
    }

    private static void leftBy(String key) {
        GATES.computeIfPresent(key, JvmFileLocks::withOneLess);
    }

    private static @Nullable Gate withOneLess(String key, Gate gate) {
        gate.users--;
        return gate.users == 0 ? null : gate;
    }
}
