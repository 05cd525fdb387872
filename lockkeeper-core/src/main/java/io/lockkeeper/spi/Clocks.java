package io.lockkeeper.spi;

/** Where time comes from. Leases are counted by {@link Moment}s, waits by their monotonic part. */
public interface Clocks {

    Moment now();

    /** The machine's clocks. */
    static Clocks system() {
        return SystemClocks.INSTANCE;
    }
}
