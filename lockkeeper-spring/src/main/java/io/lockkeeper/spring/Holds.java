package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import io.lockkeeper.Lockkeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The holds of {@link Locked} and {@link Limited} methods that the current thread is in. Other threads, to which a method passes work on,
 * do not have them; pass the hold itself. Inside a {@code Mono} or {@code Flux} use {@link ReactorHolds}.
 */
public final class Holds {

    private static final ThreadLocal<List<HeldLock>> CURRENT = new ThreadLocal<>();

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
}
