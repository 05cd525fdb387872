package io.lockkeeper.shell;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Backend;

/** Opens keepers. */
public final class Keeper {
    private Keeper() {}

    public static Lockkeeper connect(String url, Settings settings) {
        throw new IllegalArgumentException("No backend knows " + url);
    }

    public static Lockkeeper open(Backend backend, Settings settings) {
        throw new IllegalStateException("There is no engine yet for " + backend.describe());
    }
}
