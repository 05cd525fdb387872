package io.lockkeeper.testkit.contract;

/**
 * Collects garbage for all cases of the process together. Each of a dozen cases that run at once would stop the process for its own
 * collection otherwise, again and again, until the servers' replies come too late.
 */
final class Garbage {

    private static final Object ONE_AT_A_TIME = new Object();
    private static volatile long begun;

    private Garbage() {}

    /** Returns after a collection that began after this call. */
    static void collect() {
        long mine = begun + 1;
        synchronized (ONE_AT_A_TIME) {
            if (begun < mine) {
                begun = mine;
                System.gc();
            }
        }
    }
}
