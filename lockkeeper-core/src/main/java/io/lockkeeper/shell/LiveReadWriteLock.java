package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Hold;
import io.lockkeeper.Resource;
import io.lockkeeper.SharedLock;
import io.lockkeeper.spi.Mode;
import java.util.concurrent.CompletableFuture;

/** Both sides of a read-write lock. */
final class LiveReadWriteLock implements DistributedReadWriteLock {

    private final Station station;
    private final Order reading;
    private final Order writing;

    LiveReadWriteLock(Station station, Resource resource) {
        this.station = station;
        this.reading = Order.of(resource, Mode.SHARED, station.settings().lease(), false);
        this.writing = Order.of(resource, Mode.EXCLUSIVE, station.settings().lease(), false);
    }

    @Override
    public String name() {
        return reading.resource().name();
    }

    @Override
    public SharedLock readLock() {
        return new ReadLock(station, reading, null);
    }

    @Override
    public DistributedLock writeLock() {
        return new WriteLock(station, writing, null);
    }

    @Override
    public Hold downgrade(ExclusiveHold writeHold) {
        given(writeHold, "writeHold");
        return Downgrade.byHandle(station, writeHold, reading);
    }

    @Override
    public CompletableFuture<Hold> downgradeAsync(ExclusiveHold writeHold) {
        given(writeHold, "writeHold");
        return Background.call(station, () -> downgrade(writeHold));
    }
}
