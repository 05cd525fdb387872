package io.lockkeeper.shell;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that stand still until a test moves them. */
final class HandClocks implements Clocks {

    private final AtomicLong nanos = new AtomicLong(Duration.ofHours(1).toNanos());

    @Override
    public Moment now() {
        long now = nanos.get();
        return new Moment(now, now);
    }

    void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }
}
