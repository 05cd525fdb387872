package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.Holding;
import io.lockkeeper.spi.Moment;
import java.time.Duration;

/**
 * Notices a thread that waits for what it has itself by handle: it may be right, if another thread closes the handle,
 * but mostly it waits for ever. After a second it is reported, with both places.
 */
final class SelfWait {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Station station;
    private final Resource resource;
    private final Thread thread;
    private long due;

    SelfWait(Station station, Resource resource, Thread thread, Moment begun) {
        this.station = station;
        this.resource = resource;
        this.thread = thread;
        this.due = begun.mono() + PATIENCE.toNanos();
    }

    /** When to check; {@link Long#MAX_VALUE} once that is done. */
    long due() {
        return due;
    }

    void check(Moment now) {
        if (now.mono() < due) {
            return;
        }
        due = Long.MAX_VALUE;
        station.at(resource, post -> {
            for (Grant grant : post.engine.grants()) {
                for (Holding holding : grant.holdings()) {
                    HoldRecord record = HoldRecord.of(holding);
                    if (record != null && record.isHandleOf(thread)) {
                        report(record);
                    }
                }
            }
        });
    }

    private void report(HoldRecord record) {
        Throwable both = new Throwable("waits here", record.place());
        LOG.log(
                System.Logger.Level.WARNING,
                "Thread '" + thread.getName() + "' waits for " + resource
                        + ", which it acquired itself by a handle that is still open; acquire() does not nest, use lock()",
                both);
    }
}
