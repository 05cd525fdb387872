package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Resource;
import io.lockkeeper.SharedLock;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Mode;
import java.util.concurrent.CompletableFuture;

/** Both sides of a read-write lock. */
final class LiveReadWriteLock implements DistributedReadWriteLock {

    private final KeeperCore core;
    private final AcquireOptions reading;
    private final AcquireOptions writing;

    LiveReadWriteLock(KeeperCore core, Resource resource) {
        this.core = core;
        this.reading = AcquireOptions.of(resource, Mode.SHARED, core.settings().lease(), false);
        this.writing =
                AcquireOptions.of(resource, Mode.EXCLUSIVE, core.settings().lease(), false);
    }

    @Override
    public String name() {
        return reading.resource().name();
    }

    @Override
    public SharedLock readLock() {
        return new ReadLock(core, reading, null);
    }

    @Override
    public DistributedLock writeLock() {
        return new WriteLock(core, writing, null);
    }

    @Override
    public SingleHold downgrade(ExclusiveHold writeHold) {
        given(writeHold, "writeHold");
        return Downgrade.byHandle(core, writeHold, reading);
    }

    @Override
    public CompletableFuture<SingleHold> downgradeAsync(ExclusiveHold writeHold) {
        given(writeHold, "writeHold");
        return AsyncRequests.call(core, () -> downgrade(writeHold));
    }
}
