package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.engine.Grant;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.spi.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Notices a thread that waits for what it holds itself by a handle. That may be intended, if another thread closes the handle,
 * but mostly the wait never ends. It is reported after a second, with both places.
 */
final class SelfDeadlockCheck {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final KeeperCore core;
    private final Resource resource;
    private final Thread thread = Thread.currentThread();
    private long due = Long.MAX_VALUE;
    private boolean begun;

    SelfDeadlockCheck(KeeperCore core, Resource resource) {
        this.core = core;
        this.resource = resource;
    }

    /** When to {@link #check}; {@link Long#MAX_VALUE} if this thread does not wait for itself, or that was said. */
    long due(Moment now) {
        if (!begun) {
            begun = true;
            due = own() == null ? Long.MAX_VALUE : now.mono() + KeeperPolicy.SELF_DEADLOCK_CHECK.toNanos();
        }
        return due;
    }

    void check(Moment now) {
        if (now.mono() < due) {
            return;
        }
        due = Long.MAX_VALUE;
        HoldRecord own = own();
        if (own != null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Thread '" + thread.getName() + "' waits for " + resource
                            + ", which it acquired itself by a handle that is still open; acquire() does not nest,"
                            + " use lock()",
                    new Throwable("waits here", own.place()));
        }
    }

    @SuppressWarnings("NullAway") // The result is null where there is none.
    private @Nullable HoldRecord own() {
        return core.at(resource, null, slot -> {
            for (Grant grant : slot.engine.grants()) {
                for (EngineHold holding : grant.holdings()) {
                    HoldRecord record = HoldRecord.of(holding);
                    if (record != null && record.isHandleOf(thread)) {
                        return record;
                    }
                }
            }
            return null;
        });
    }
}
