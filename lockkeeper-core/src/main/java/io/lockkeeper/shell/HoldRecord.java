package io.lockkeeper.shell;

import io.lockkeeper.Loss;
import io.lockkeeper.Overdue;
import io.lockkeeper.Resource;
import io.lockkeeper.engine.EngineHold;
import io.lockkeeper.spi.Durations;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The keeper's record of one hold. It refers weakly to a hold by handle, so that a forgotten handle can be noticed, and strongly
 * to what waits for the notice of its loss; the hold of an owner by {@code lock()} belongs to the keeper itself.
 */
final class HoldRecord {

    private static final System.Logger LOG = System.getLogger("io.lockkeeper");

    private final KeeperCore core;
    private final EngineHold holding;
    private final WeakReference<LiveHold> hold;
    private final LossNotice word;
    private final @Nullable LiveHold owned;
    private final WeakReference<Thread> acquirer;
    private final Throwable place;
    private final AtomicBoolean reported = new AtomicBoolean();
    /** What the keeper's listener is told of this hold, in the order in which it happened. */
    private final AtomicReference<@Nullable SerialTasks> events = new AtomicReference<>();

    private final KeeperTimer.@Nullable Alarm overdue;
    private final @Nullable AcquisitionReport report;

    HoldRecord(KeeperCore core, LiveHold hold, AcquireOptions order, Throwable place) {
        this.core = core;
        this.holding = hold.holding();
        this.report = AcquisitionReport.of(holding);
        this.hold = new WeakReference<>(hold);
        this.word = hold.word();
        this.owned = holding.owner() == null ? null : hold;
        this.acquirer = new WeakReference<>(Thread.currentThread());
        this.place = place;
        Duration longest = order.longestHold();
        this.overdue = longest == null
                ? null
                : core.alarms()
                        .at(
                                Timeouts.deadline(holding.since(), Timeouts.nanos(longest)),
                                () -> core.workers().request(() -> overdue(longest, order.whenOverdue())));
    }

    static @Nullable HoldRecord of(EngineHold holding) {
        return holding.attachment() instanceof HoldRecord record ? record : null;
    }

    /** The hold by {@code lock()}, as the owner sees it. */
    @Nullable
    LiveHold owned() {
        return owned;
    }

    /** The hold, unless it was forgotten. */
    @Nullable
    LiveHold hold() {
        return hold.get();
    }

    /** What is reported of it; null if there is nobody to report to. */
    @Nullable
    AcquisitionReport report() {
        return report;
    }

    Throwable place() {
        return place;
    }

    /** Whether this thread acquired it by handle. */
    boolean isHandleOf(Thread thread) {
        return holding.owner() == null && acquirer.get() == thread;
    }

    /** Has the keeper's listener told of this hold, after all that it was told of it before. */
    void tell(Runnable event) {
        SerialTasks order = events.get();
        if (order == null) {
            SerialTasks made = new SerialTasks(core.workers()::callback);
            order = events.compareAndSet(null, made) ? made : Objects.requireNonNull(events.get());
        }
        order.add(event);
    }

    void lost(Loss loss) {
        core.alarms().cancel(overdue);
        word.tell(loss);
    }

    /** Whether anybody could miss it: the thread that owns it lives, the handle was not dropped, or a listener waits for word. */
    boolean isMissed() {
        if (holding.owner() instanceof Thread thread) {
            return thread.isAlive();
        }
        return holding.owner() != null || hold.get() != null || word.isAwaited();
    }

    void released() {
        core.alarms().cancel(overdue);
    }

    private void overdue(Duration longest, Overdue then) {
        if (holding.isReleased() || holding.lostBecause() != null) {
            return;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                describe() + " is held for longer than " + Durations.text(longest)
                        + (then == Overdue.LOSE ? "; it is taken away" : ""),
                place);
        if (then == Overdue.LOSE) {
            core.lose(holding, Loss.Reason.EXPIRED);
        }
    }

    void reportDeadOwner(Thread thread) {
        if (reported.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    describe() + " is held by thread '" + thread.getName()
                            + "', which ended without unlocking; it is not renewed any more, so others can have it soon",
                    place);
        }
    }

    private String describe() {
        Resource resource = holding.resource();
        return resource + " (token " + holding.token() + ")";
    }
}
