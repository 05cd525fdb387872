package io.lockkeeper.file;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. It starts at the machine's time, as files are dated by that. */
final class TestClock implements Clocks {

    private final AtomicLong mono = new AtomicLong();
    private final AtomicLong wall = new AtomicLong(Clocks.system().now().wall());

    @Override
    public Moment now() {
        return new Moment(mono.get(), wall.get());
    }

    void pass(Duration time) {
        mono.addAndGet(time.toNanos());
        wall.addAndGet(time.toNanos());
    }

    void setBack(Duration time) {
        wall.addAndGet(-time.toNanos());
    }
}
