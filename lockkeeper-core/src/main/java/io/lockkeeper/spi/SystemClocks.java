package io.lockkeeper.spi;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The only class that reads the machine's clocks. */
final class SystemClocks implements Clocks {

    static final SystemClocks INSTANCE = new SystemClocks();

    private SystemClocks() {}

    @Override
    public Moment now() {
        Instant wall = Instant.now();
        return new Moment(System.nanoTime(), wall.getEpochSecond() * 1_000_000_000L + wall.getNano());
    }

    @Override
    public void park(Object blocker, long until) {
        if (until == Long.MAX_VALUE) {
            LockSupport.park(blocker);
            return;
        }
        long left = until - System.nanoTime();
        if (left > 0) {
            LockSupport.parkNanos(blocker, left);
        }
    }
}
