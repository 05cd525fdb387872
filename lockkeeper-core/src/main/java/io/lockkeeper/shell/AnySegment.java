package io.lockkeeper.shell;

import io.lockkeeper.SegmentHold;
import io.lockkeeper.engine.KeeperPolicy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Waits for whichever segment is free first: it queues for one of them, so that its place is kept, and tries the others
 * now and then. Whatever it gets beyond the first is given back.
 */
final class AnySegment {

    private final KeeperCore core;
    private final LiveSegmentedLock lock;
    private final long deadline;
    private final int home;
    private final AcquisitionSite place = new AcquisitionSite();
    private final CompletableFuture<@Nullable SegmentHold> result = new CompletableFuture<>();
    private final CompletableFuture<@Nullable SegmentHold> queued;
    private volatile KeeperTimer.@Nullable Alarm alarm;

    AnySegment(KeeperCore core, LiveSegmentedLock lock, long timeout) {
        this.core = core;
        this.lock = lock;
        this.deadline = Timeouts.deadline(core.now(), timeout);
        this.home = ThreadLocalRandom.current().nextInt(lock.segments());
        Segment segment = lock.at(home);
        this.queued = segment.async(segment.order(), timeout, place);
    }

    CompletableFuture<@Nullable SegmentHold> start() {
        queued.whenComplete((hold, thrown) -> {
            if (thrown == null) {
                offer(hold);
            } else {
                result.completeExceptionally(thrown);
            }
        });
        result.whenComplete((hold, thrown) -> {
            core.alarms().cancel(alarm);
            queued.cancel(false);
        });
        lookAround();
        return result;
    }

    private void offer(@Nullable SegmentHold hold) {
        if (!result.complete(hold) && hold != null) {
            hold.releaseAsync();
        }
    }

    private void lookAround() {
        if (lock.segments() > 1 && !result.isDone()) {
            core.workers().request(this::tryOthers);
        }
    }

    private void tryOthers() {
        int start = ThreadLocalRandom.current().nextInt(lock.segments());
        for (int i = 0; i < lock.segments() && !result.isDone(); i++) {
            int index = (start + i) % lock.segments();
            SegmentHold hold = index == home ? null : tryOne(index);
            if (hold != null) {
                core.workers().callback(() -> offer(hold));
                return;
            }
        }
        long next = core.now().mono() + KeeperPolicy.SEGMENT_ROUND.toNanos();
        if (!result.isDone() && next < deadline) {
            alarm = core.alarms().at(next, this::lookAround);
        }
    }

    private @Nullable SegmentHold tryOne(int index) {
        try {
            Segment segment = lock.at(index);
            return segment.tryAcquire(segment.order(), place);
        } catch (RuntimeException unavailable) {
            // The queued claim tells what is wrong, if it lasts.
            return null;
        }
    }
}
