package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Overdue;
import io.lockkeeper.Resource;
import io.lockkeeper.SharedLock;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Mode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Both sides of a read-write lock. */
final class LiveReadWriteLock implements DistributedReadWriteLock {

    private final KeeperCore core;
    private final AcquireOptions reading;
    private final AcquireOptions writing;

    LiveReadWriteLock(KeeperCore core, Resource resource) {
        this(
                core,
                AcquireOptions.of(resource, Mode.SHARED, core.settings().lease(), false),
                AcquireOptions.of(resource, Mode.EXCLUSIVE, core.settings().lease(), false));
    }

    private LiveReadWriteLock(KeeperCore core, AcquireOptions reading, AcquireOptions writing) {
        this.core = core;
        this.reading = reading;
        this.writing = writing;
    }

    private DistributedReadWriteLock view(UnaryOperator<AcquireOptions> change) {
        return new LiveReadWriteLock(core, change.apply(reading), change.apply(writing));
    }

    @Override
    public DistributedReadWriteLock withLease(Duration lease) {
        return view(options -> options.withLease(lease, core.backend()));
    }

    @Override
    public DistributedReadWriteLock withFixedLease(Duration lease) {
        return view(options -> options.withFixedLease(lease, core.backend()));
    }

    @Override
    public DistributedReadWriteLock withMaxHold(Duration longest, Overdue whenOverdue) {
        return view(options -> options.withMaxHold(longest, whenOverdue));
    }

    @Override
    public DistributedReadWriteLock giveUpAfter(Duration silence) {
        return view(options -> options.giveUpAfter(silence));
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
