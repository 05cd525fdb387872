package io.lockkeeper.engine;

import org.jspecify.annotations.Nullable;

/** Checks of what the engine's invariants guarantee. */
final class Checks {

    private Checks() {}

    /**
     * Returns a value that an invariant says is present.
     *
     * @param invariant the invariant, for the message
     * @throws IllegalStateException if the value is absent
     */
    static <T> T present(@Nullable T value, String invariant) {
        if (value == null) {
            throw new IllegalStateException("Internal invariant violated: " + invariant);
        }
        return value;
    }
}
