package io.lockkeeper.shell;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.Levels;
import io.lockkeeper.engine.Owners;
import io.lockkeeper.spi.Mode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The levels of lost holds whose unlock has not come: a keeper remembers them so that it can say "lost" when it comes.
 *
 * <p><b>Invariant.</b> It is bounded by what lives, not by the names that were used. Code that guards its unlock by {@code
 * isHeldByCurrentThread()}, or lets a fixed lease end by itself, never unlocks; if each such name stayed, a service would
 * pile them up. So a thread's levels go with the thread, and of one owner the latest {@value #NAMES} names stay; of owners
 * by name, which have no life that can be seen, the latest {@value #NAMED_OWNERS}. Nor do the losses of one name pile up: of
 * more than {@value #LEVELS} levels only those of the latest loss stay.
 *
 * <p>Its lock is taken while that of a slot is held, and never the other way round.
 */
final class LostLevels implements Owners.Arrears {

    static final int NAMES = 64;
    static final int NAMED_OWNERS = 1024;
    static final int LEVELS = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Owed> ofThreads = new WeakHashMap<>();
    private final Map<Object, Owed> ofNames = new Latest<>(NAMED_OWNERS);

    @Override
    public void owe(Object owner, Resource resource, Levels levels, Loss loss) {
        lock.lock();
        try {
            Owed owed = of(owner).computeIfAbsent(owner, first -> new Owed());
            Lost before = owed.remove(resource);
            if (before != null && before.levels.size() < LEVELS) {
                levels.addAll(before.levels);
            }
            owed.put(resource, new Lost(levels, loss));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean owes(Object owner, Resource resource, Mode mode, long thread) {
        Boolean owes = with(owner, resource, (owed, lost) -> lost.levels.has(mode, thread));
        return owes != null && owes;
    }

    @Override
    public @Nullable Loss pay(Object owner, Resource resource, Mode mode, long thread) {
        return with(owner, resource, (owed, lost) -> {
            if (lost.levels.of(mode) == 0) {
                return null;
            }
            lost.levels.remove(mode, thread);
            if (lost.levels.isEmpty()) {
                owed.remove(resource);
                if (owed.isEmpty()) {
                    of(owner).remove(owner);
                }
            }
            return lost.loss;
        });
    }

    @Override
    public @Nullable Loss last(Object owner, Resource resource, Mode mode) {
        return with(owner, resource, (owed, lost) -> lost.levels.of(mode) == 0 ? null : lost.loss);
    }

    /** How many threads have lost levels. */
    int threads() {
        lock.lock();
        try {
            return ofThreads.size();
        } finally {
            lock.unlock();
        }
    }

    private <T> @Nullable T with(Object owner, Resource resource, BiFunction<Owed, Lost, @Nullable T> what) {
        lock.lock();
        try {
            Owed owed = of(owner).get(owner);
            Lost lost = owed == null ? null : owed.get(resource);
            return owed == null || lost == null ? null : what.apply(owed, lost);
        } finally {
            lock.unlock();
        }
    }

    private Map<Object, Owed> of(Object owner) {
        return owner instanceof Thread ? ofThreads : ofNames;
    }

    private record Lost(Levels levels, Loss loss) {}

    private static final class Owed extends Latest<Resource, Lost> {
        private static final long serialVersionUID = 1;

        Owed() {
            super(NAMES);
        }
    }

    /** Keeps what was put last. */
    private static class Latest<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;

        private final int most;

        Latest(int most) {
            super(4);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
        }
    }
}
