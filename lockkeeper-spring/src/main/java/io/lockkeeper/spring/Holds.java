package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import io.lockkeeper.Lockkeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The holds of {@link Locked} and {@link Limited} methods that the current thread is in. Other threads, to which a method passes work on,
 * do not have them; pass the hold itself. Inside a {@code Mono} or {@code Flux} use {@link ReactorHolds}.
 */
public final class Holds {

    private static final ThreadLocal<List<HeldLock>> CURRENT = new ThreadLocal<>();

    /** Locks of the thread whose calls have returned, but not the stages in them. */
    private static final ThreadLocal<List<HeldLock>> LEFT_BEHIND = new ThreadLocal<>();

    private Holds() {}

    /**
     * The hold of the innermost lock.
     *
     * @throws IllegalStateException if the thread is in no such method
     */
    public static Hold current() {
        return current(Hold.class);
    }

    /**
     * The innermost hold of that type, such as {@link io.lockkeeper.ExclusiveHold} for its token.
     *
     * @throws IllegalStateException if there is none
     */
    public static <H extends Hold> H current(Class<H> type) {
        return find(type)
                .orElseThrow(() -> new IllegalStateException("No " + type.getSimpleName()
                        + " is current: the thread is not in a @Locked method that was called through its" + " bean"));
    }

    /** Like {@link #current(Class)}, or empty. */
    public static <H extends Hold> Optional<H> find(Class<H> type) {
        List<HeldLock> all = here();
        for (int i = all.size() - 1; i >= 0; i--) {
            if (type.isInstance(all.get(i).hold())) {
                return Optional.of(type.cast(all.get(i).hold()));
            }
        }
        return Optional.empty();
    }

    /** What the thread has now, the outermost first. */
    static List<HeldLock> here() {
        List<HeldLock> all = CURRENT.get();
        return all == null ? List.of() : all;
    }

    static @Nullable HeldLock covering(Lockkeeper keeper, LockRule rule, List<String> names) {
        return covering(here(), keeper, rule, names);
    }

    static @Nullable HeldLock covering(List<HeldLock> held, Lockkeeper keeper, LockRule rule, List<String> names) {
        for (int i = held.size() - 1; i >= 0; i--) {
            if (held.get(i).covers(keeper, rule, names)) {
                return held.get(i);
            }
        }
        return null;
    }

    static void enter(HeldLock held) {
        List<HeldLock> all = CURRENT.get();
        if (all == null) {
            all = new ArrayList<>(2);
            CURRENT.set(all);
        }
        all.add(held);
    }

    /** Locks are left in any order: one that waits for the end of a transaction outlasts those after it. */
    static void exit(HeldLock held) {
        List<HeldLock> all = CURRENT.get();
        if (all != null) {
            all.removeIf(one -> one == held);
            if (all.isEmpty()) {
                CURRENT.remove();
            }
        }
    }

    /**
     * To be called when a call has returned and the thread is no longer in it. If a nested stage still needs the lock, the thread owns it
     * until then, and would nest in it with its next call, which has nothing to do with that stage.
     */
    static void leaveBehind(HeldLock held) {
        if (held.over().isDone()) {
            return;
        }
        List<HeldLock> left = LEFT_BEHIND.get();
        if (left == null) {
            left = new ArrayList<>(1);
            LEFT_BEHIND.set(left);
        }
        left.add(held);
    }

    /**
     * Waits until no stage of an earlier call needs a lock of these names that the thread owns.
     *
     * @return how much of the time is left; negative if it was not enough
     */
    static long awaitLeftBehind(Lockkeeper keeper, List<String> names, long nanos) throws InterruptedException {
        List<HeldLock> left = LEFT_BEHIND.get();
        if (left == null) {
            return nanos;
        }
        long begin = System.nanoTime();
        for (HeldLock held : left) {
            if (held.concerns(keeper, names)) {
                try {
                    held.over().get(Math.max(0, nanos - (System.nanoTime() - begin)), TimeUnit.NANOSECONDS);
                } catch (TimeoutException busy) {
                    return -1;
                } catch (ExecutionException never) {
                    throw new IllegalStateException(never);
                }
            }
        }
        left.removeIf(held -> held.over().isDone());
        if (left.isEmpty()) {
            LEFT_BEHIND.remove();
        }
        return Math.max(0, nanos - (System.nanoTime() - begin));
    }
}
