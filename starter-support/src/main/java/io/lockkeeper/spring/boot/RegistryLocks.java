package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a registry of Spring Integration, without the types that differ between its lines.
 *
 * <p><b>Invariant.</b> A thread that has a lock, loses it and asks for it again is told of the loss once, before it can acquire the
 * lock anew. Code of Spring Integration asks for a lock that it has, in order to see whether it still has it, and unlocks once on
 * success. Were a new grant taken for the old one, that code would give it back and go on as if it had the lock: two leaders. So the
 * registry remembers which hold the levels of a thread belong to.
 */
public final class RegistryLocks {

    /** What a thread has by a name. */
    record Level(SingleHold hold, int count) {}

    private record Owner(String name, Thread thread) {}

    private final Lockkeeper keeper;
    private final String region;
    private final ConcurrentHashMap<Owner, Level> levels = new ConcurrentHashMap<>();

    /** @param region what the names of all locks of the registry begin with */
    public RegistryLocks(Lockkeeper keeper, String region) {
        this.keeper = Objects.requireNonNull(keeper, "keeper");
        this.region = Objects.requireNonNull(region, "region");
    }

    Lockkeeper keeper() {
        return keeper;
    }

    /**
     * The name of the lock for a key.
     *
     * @throws IllegalArgumentException if other processes would make another text of the key
     */
    public String name(Object key) {
        if (key instanceof CharSequence || key instanceof UUID || key instanceof Number || key instanceof Enum<?>) {
            return region + key;
        }
        throw new IllegalArgumentException("A lock key is text, a number, a UUID or an enum, not "
                + key.getClass().getName() + "; every process must make the same name of it");
    }

    /** Forgets what threads lost that have ended since. */
    public void expireUnusedOlderThan(long age) {
        levels.keySet().removeIf(owner -> !owner.thread().isAlive());
    }

    /**
     * Renews the lock of this thread.
     *
     * @param ttl null for the keeper's lease
     * @throws IllegalStateException if this thread does not have it
     */
    public void renew(Object key, @Nullable Duration ttl) {
        String name = name(key);
        Level mine = mine(name);
        if (mine == null) {
            throw new IllegalStateException("Thread '" + Thread.currentThread().getName() + "' does not have the lock '"
                    + name + "', so it cannot renew it");
        }
        mine.hold().ensureHeld();
        if (ttl == null) {
            // A lock without a TTL is renewed by its keeper.
            return;
        }
        switch (mine.hold().extend(ttl)) {
            case EXTENDED -> {}
            case NOT_HELD -> mine.hold().ensureHeld();
            case UNKNOWN ->
                throw new IllegalStateException("The store did not answer, so it is not known whether the lock '" + name
                        + "' lasts " + Durations.text(ttl) + " more");
        }
    }

    @Nullable
    Level mine(String name) {
        return levels.get(new Owner(name, Thread.currentThread()));
    }

    /** Whether no thread has, or lost unnoticed, a lock. */
    boolean isEmpty() {
        return levels.isEmpty();
    }

    void set(String name, Level level) {
        levels.put(new Owner(name, Thread.currentThread()), level);
    }

    void forget(String name) {
        levels.remove(new Owner(name, Thread.currentThread()));
    }
}
