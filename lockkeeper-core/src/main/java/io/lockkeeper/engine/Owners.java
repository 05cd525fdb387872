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
 * The owners that have a resource by {@code lock()}, and how often each of them locked it. Nesting never touches the store.
 *
 * <p><b>Invariant.</b> An owner nests only in a hold that is surely held: the hold is looked at first. A hold that was lost
 * stops nesting, not acquiring: at the first check after the loss its entry goes, and its levels become {@link Arrears}, so
 * that the owner may lock afresh, with a new grant and a new token, and nothing stays here for an owner that never unlocks.
 *
 * <p><b>What an unlock undoes.</b> The latest lock of the same thread that was not undone yet, as with blocks that are
 * nested: a level of the hold that the owner has now; only if there is none, a lost level, which throws. What would break it:
 *
 * <ul>
 *   <li>Lost levels first: an owner that skips the unlock of a lost hold leaves its level behind, and the unlock of the next
 *       hold would throw and leave that hold locked for as long as the thread lives.
 *   <li>Lost levels forgotten: outer code loses its hold, inner code locks and unlocks afresh, and the unlock of the outer
 *       code would be taken for a mistake of the program, not for a report of the loss.
 *   <li>Threads of one named owner taken for one: a thread that lost its hold would release the new one of another thread.
 *       So each level of such an owner carries the thread that locked it, and a thread with a lost level of its own and no
 *       level in the new hold undoes the lost one.
 * </ul>
 */
public final class Owners {

    private final Resource resource;
    private final Arrears arrears;
    private final Map<Object, Entry> entries = new HashMap<>(2);

    public Owners(Resource resource, Arrears arrears) {
        this.resource = resource;
        this.arrears = arrears;
    }

    /**
     * Levels of lost holds that were not unlocked. It may forget the oldest ones: an unlock then says that the owner does not
     * have the lock, which is true as well.
     */
    public interface Arrears {

        /** An owner lost a hold with these levels. */
        void owe(Object owner, Resource resource, Levels levels, Loss loss);

        /** Whether this thread of the owner has a lost level of its own in that mode. */
        boolean owes(Object owner, Resource resource, Mode mode, long thread);

        /**
         * Undoes one lost level: one of this thread if it has any, else one of the owner's.
         *
         * @return what was lost; null if the owner has no such level
         */
        @Nullable
        Loss pay(Object owner, Resource resource, Mode mode, long thread);

        /** What the owner lost last and has not unlocked; null if nothing is known. */
        @Nullable
        Loss last(Object owner, Resource resource, Mode mode);
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * Looks whether the owner's hold was lost, and lets it go if so.
     *
     * @return the lost hold, if this is news here
     */
    public @Nullable EngineHold settle(Moment now, Object owner) {
        Entry entry = entries.get(owner);
        if (entry == null || entry.holding.remaining(now) > 0) {
            return null;
        }
        entries.remove(owner);
        arrears.owe(owner, resource, entry.levels, loss(entry.holding));
        return entry.holding;
    }

    /** What a lock of an owner comes to. */
    public enum Nesting {
        /** The owner has it already; it is counted. */
        NESTED,
        /** The owner has to acquire it. */
        ACQUIRE,
        /** The owner reads and wants to write, which it can never get while it reads. */
        NEVER
    }

    /**
     * Nests if the owner has it, and surely.
     *
     * @param thread the thread that locks, or 0 if the owner is a thread
     */
    public Nesting nest(Moment now, Object owner, Mode mode, long thread) {
        settle(now, owner);
        Entry entry = entries.get(owner);
        if (entry == null) {
            return Nesting.ACQUIRE;
        }
        if (mode instanceof Mode.Exclusive && entry.levels.of(Mode.EXCLUSIVE) == 0) {
            return Nesting.NEVER;
        }
        entry.levels.add(mode, thread);
        return Nesting.NESTED;
    }

    /** A lock that waits for itself. */
    public IllegalStateException readsAlready() {
        return new IllegalStateException(
                "This owner reads " + resource
                        + " and cannot wait to write it: two that did so would wait for each other; unlock the read lock first");
    }

    /** The owner acquired it. */
    public void own(Moment now, Object owner, EngineHold holding, Mode mode, long thread) {
        settle(now, owner);
        Entry entry = new Entry(holding, new Levels());
        entry.levels.add(mode, thread);
        entries.put(owner, entry);
    }

    /** What an owner's unlock comes to. */
    public enum Unlocking {
        /** The owner has it still, or by the other half of a read-write lock. */
        NESTED,
        /** The owner writes no more but still reads. */
        DOWNGRADE,
        /** It was the last one. */
        RELEASE
    }

    /** What is left to do, and with which hold. */
    public record Unlocked(Unlocking what, EngineHold holding) {}

    /**
     * Undoes one lock.
     *
     * @param thread the thread that unlocks, or 0 if the owner is a thread
     * @throws LockLostException if what it undoes was lost
     * @throws IllegalMonitorStateException if the owner does not have it
     */
    public Unlocked unlock(Moment now, Object owner, Mode mode, long thread) {
        settle(now, owner);
        Entry entry = entries.get(owner);
        Levels levels = entry == null ? null : entry.levels;
        if (entry == null
                || levels == null
                || levels.of(mode) == 0
                || (!levels.has(mode, thread) && arrears.owes(owner, resource, mode, thread))) {
            throw notHeld(arrears.pay(owner, resource, mode, thread));
        }
        levels.remove(mode, thread);
        if (levels.isEmpty()) {
            entries.remove(owner);
            return new Unlocked(Unlocking.RELEASE, entry.holding);
        }
        boolean readsOnly = mode instanceof Mode.Exclusive && levels.of(mode) == 0;
        return new Unlocked(readsOnly ? Unlocking.DOWNGRADE : Unlocking.NESTED, entry.holding);
    }

    private IllegalMonitorStateException notHeld(@Nullable Loss lost) {
        return lost == null
                ? new IllegalMonitorStateException("This owner does not have " + resource
                        + ", so it cannot unlock it; lock and unlock must pair up")
                : lost(lost, "another owner may have held it since; check what you wrote under it");
    }

    /** The hold that an owner's hold was turned into. */
    public void replace(Object owner, EngineHold holding) {
        Entry entry = entries.get(owner);
        if (entry != null) {
            entries.put(owner, new Entry(holding, entry.levels));
        }
    }

    /**
     * The hold that the owner has now.
     *
     * @throws LockLostException if the owner lost it and has not unlocked it
     * @throws IllegalMonitorStateException if the owner does not have it
     */
    public EngineHold current(Moment now, Object owner, Mode mode) {
        settle(now, owner);
        Entry entry = entries.get(owner);
        if (entry != null && entry.levels.of(mode) > 0) {
            return entry.holding;
        }
        Loss lost = arrears.last(owner, resource, mode);
        throw lost == null
                ? new IllegalMonitorStateException(
                        "This owner does not have " + resource + " by lock(), so there is no current hold")
                : lost(lost, "there is no current hold; lock it again");
    }

    /** How often the owner has nested it; 0 if it was lost. */
    public int count(Moment now, Object owner, Mode mode) {
        settle(now, owner);
        Entry entry = entries.get(owner);
        return entry == null ? 0 : entry.levels.of(mode);
    }

    /** Whether this owner holds what excludes that mode, so that a wait for it could not end. */
    public boolean stands(Moment now, Object owner, Mode wanted) {
        settle(now, owner);
        Entry entry = entries.get(owner);
        return entry != null && (wanted instanceof Mode.Exclusive || entry.levels.of(Mode.EXCLUSIVE) > 0);
    }

    public static LockLostException lost(EngineHold holding, String soWhat) {
        return lost(loss(holding), soWhat);
    }

    private static LockLostException lost(Loss loss, String soWhat) {
        return new LockLostException(
                "The hold of " + loss.resource() + " with token " + loss.token() + " was lost (" + loss.reason() + "); "
                        + soWhat,
                loss);
    }

    private static Loss loss(EngineHold holding) {
        Loss.Reason reason = holding.lostBecause();
        return holding.loss(reason == null ? Loss.Reason.EXPIRED : reason);
    }

    private record Entry(EngineHold holding, Levels levels) {}
}
