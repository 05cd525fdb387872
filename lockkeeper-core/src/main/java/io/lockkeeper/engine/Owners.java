package io.lockkeeper.engine;

import io.lockkeeper.LockLostException;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who has a resource by {@code lock()}, and how often. Nesting never touches the store, and never says yes after a loss:
 * the hold is looked at first.
 */
public final class Owners {

    private final Resource resource;
    private final Map<Object, Entry> entries = new HashMap<>(2);

    public Owners(Resource resource) {
        this.resource = resource;
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * Nests if the owner has it already.
     *
     * @return false if he has to acquire it
     * @throws LockLostException if he had it and lost it
     * @throws IllegalStateException if he reads and asks to write
     */
    public boolean nest(Moment now, Object owner, Mode mode) {
        Entry entry = entries.get(owner);
        if (entry == null) {
            return false;
        }
        if (mode instanceof Mode.Exclusive && entry.writes == 0) {
            throw new IllegalStateException(
                    "This owner reads " + resource
                            + " and can not ask to write it: two who did so would wait for each other; unlock the read lock first");
        }
        ensureHeld(now, entry);
        entry.count(mode, 1);
        return true;
    }

    private static void ensureHeld(Moment now, Entry entry) {
        if (entry.holding.remaining(now) <= 0) {
            throw lost(entry.holding, "it can not be nested any more; unlock it");
        }
    }

    /** The owner acquired it. */
    public void own(Object owner, Holding holding, Mode mode) {
        Entry entry = new Entry(holding);
        entry.count(mode, 1);
        entries.put(owner, entry);
    }

    /** What an owner's unlock comes to. */
    public enum Unlocking {
        /** He has it still, or by the other half of a read-write lock. */
        NESTED,
        /** He writes no more but still reads. */
        DOWNGRADE,
        /** It was the last one. */
        RELEASE
    }

    /** What is left to do, and with which hold. */
    public record Unlocked(Unlocking what, Holding holding) {}

    /**
     * Undoes one lock.
     *
     * @throws IllegalMonitorStateException if the owner does not have it
     */
    public Unlocked unlock(Object owner, Mode mode) {
        Entry entry = entries.get(owner);
        if (entry == null || entry.of(mode) == 0) {
            throw new IllegalMonitorStateException(
                    "This owner does not have " + resource + ", so it can not unlock it; lock and unlock must pair up");
        }
        entry.count(mode, -1);
        if (entry.writes + entry.reads == 0) {
            entries.remove(owner);
            return new Unlocked(Unlocking.RELEASE, entry.holding);
        }
        boolean readsOnly = mode instanceof Mode.Exclusive && entry.writes == 0;
        return new Unlocked(readsOnly ? Unlocking.DOWNGRADE : Unlocking.NESTED, entry.holding);
    }

    /** The hold that an owner's hold was turned into. */
    public void replace(Object owner, Holding holding) {
        Entry entry = entries.get(owner);
        if (entry != null) {
            Entry next = new Entry(holding);
            next.writes = entry.writes;
            next.reads = entry.reads;
            entries.put(owner, next);
        }
    }

    /** The owner will never unlock. */
    public void forget(Object owner) {
        entries.remove(owner);
    }

    public @Nullable Holding holding(Object owner, Mode mode) {
        Entry entry = entries.get(owner);
        return entry == null || entry.of(mode) == 0 ? null : entry.holding;
    }

    /** How often the owner has nested it; 0 if he lost it. */
    public int count(Moment now, Object owner, Mode mode) {
        Entry entry = entries.get(owner);
        return entry == null || entry.holding.remaining(now) <= 0 ? 0 : entry.of(mode);
    }

    /** Whether this owner has what excludes a wish for that mode, so that waiting for it could not end. */
    public boolean stands(Object owner, Mode wanted) {
        Entry entry = entries.get(owner);
        return entry != null && (entry.writes > 0 || wanted instanceof Mode.Exclusive);
    }

    public static LockLostException lost(Holding holding, String soWhat) {
        Loss.Reason reason = holding.lostBecause();
        Loss loss = holding.loss(reason == null ? Loss.Reason.EXPIRED : reason);
        return new LockLostException(
                "The hold of " + holding.resource() + " with token " + holding.token() + " was lost (" + loss.reason()
                        + "); " + soWhat,
                loss);
    }

    private static final class Entry {
        private final Holding holding;
        private int writes;
        private int reads;

        Entry(Holding holding) {
            this.holding = holding;
        }

        int of(Mode mode) {
            return mode instanceof Mode.Exclusive ? writes : reads;
        }

        void count(Mode mode, int change) {
            if (mode instanceof Mode.Exclusive) {
                writes += change;
            } else {
                reads += change;
            }
        }
    }
}
