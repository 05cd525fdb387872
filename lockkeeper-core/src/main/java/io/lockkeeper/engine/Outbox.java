package io.lockkeeper.engine;

import org.jspecify.annotations.Nullable;

/** Gathers the effects of one event after another, until they are taken. Most events have none, so they are made when needed. */
final class Outbox {

    private @Nullable Effects effects;

    Effects effects() {
        Effects gathered = effects;
        if (gathered == null) {
            gathered = new Effects();
            effects = gathered;
        }
        return gathered;
    }

    void wake(@Nullable Waiter waiter) {
        if (waiter != null) {
            effects().woken.add(waiter);
        }
    }

    /** The effects since the last call; null if there are none. */
    @Nullable
    Effects take() {
        Effects taken = effects;
        if (taken == null || taken.isEmpty()) {
            return null;
        }
        effects = null;
        return taken;
    }
}
