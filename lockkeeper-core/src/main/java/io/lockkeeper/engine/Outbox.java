package io.lockkeeper.engine;

import org.jspecify.annotations.Nullable;

/** Gathers the effects of one event after another, until they are taken. Most events have none, so it is made when needed. */
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

    /** What has come up since this was asked last; null if nothing has. */
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
