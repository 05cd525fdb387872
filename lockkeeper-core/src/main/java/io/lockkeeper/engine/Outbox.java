package io.lockkeeper.engine;

import org.jspecify.annotations.Nullable;

/** Gathers the effects of one event after another, until they are taken. */
final class Outbox {

    private Effects effects = new Effects();

    Effects effects() {
        return effects;
    }

    void wake(@Nullable Waiter waiter) {
        if (waiter != null) {
            effects.woken.add(waiter);
        }
    }

    /** What has come up since this was asked last; null if nothing has. */
    @Nullable
    Effects take() {
        if (effects.isEmpty()) {
            return null;
        }
        Effects taken = effects;
        effects = new Effects();
        return taken;
    }
}
