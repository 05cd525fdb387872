package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Loss;
import io.lockkeeper.MajorityHold;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A majority of several holds.
 *
 * <p><b>Invariant.</b> While it is not lost, a majority of the locks has been held at every moment since it was granted, so
 * nobody else had one. A hold joins only while the others are a majority without it. What would break it: one that joins
 * when another was lost already. Two of three are needed; the first is lost, somebody has the first and the third and
 * releases, and then our late grant of the third arrives: with the second it would look like a majority that was never
 * interrupted.
 */
final class LiveMajorityHold implements MajorityHold {

    private final KeeperCore core;
    private final int majority;
    private final List<ExclusiveHold> holds = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<Loss> loss = new CompletableFuture<>();
    private final AtomicReference<@Nullable CompletableFuture<ReleaseOutcome>> end = new AtomicReference<>();
    private volatile boolean broken;

    LiveMajorityHold(KeeperCore core, List<ExclusiveHold> first, int majority) {
        this.core = core;
        this.majority = majority;
        holds.addAll(first);
        first.forEach(this::watch);
    }

    /** One more was granted; it is given back if this is over. */
    void join(ExclusiveHold late) {
        boolean joined = false;
        lock.lock();
        try {
            if (end.get() == null && isWhole()) {
                holds.add(late);
                joined = true;
            }
        } finally {
            lock.unlock();
        }
        if (joined) {
            watch(late);
        } else {
            late.releaseAsync();
        }
    }

    private void watch(ExclusiveHold hold) {
        hold.lost().thenAccept(this::lostOne);
    }

    private void lostOne(Loss one) {
        if (end.get() == null && !isWhole() && loss.complete(one)) {
            // What is left would keep others from having a majority.
            holds.forEach(ExclusiveHold::releaseAsync);
        }
    }

    /** Whether a majority is held; once it was not, it never is again. */
    private boolean isWhole() {
        lock.lock();
        try {
            broken |= count(HoldState.HELD) + count(HoldState.UNCERTAIN) < majority;
            return !broken;
        } finally {
            lock.unlock();
        }
    }

    private int count(HoldState wanted) {
        return (int) holds.stream().filter(hold -> hold.state() == wanted).count();
    }

    @Override
    public List<? extends SingleHold> holds() {
        return List.copyOf(holds);
    }

    @Override
    public HoldState state() {
        if (loss.isDone()) {
            return HoldState.LOST;
        }
        if (end.get() != null) {
            return HoldState.RELEASED;
        }
        if (!isWhole()) {
            // A release may have begun between the two looks.
            return end.get() == null ? HoldState.LOST : HoldState.RELEASED;
        }
        return count(HoldState.HELD) >= majority ? HoldState.HELD : HoldState.UNCERTAIN;
    }

    @Override
    public Duration remaining() {
        if (state() == HoldState.LOST || state() == HoldState.RELEASED) {
            return Duration.ZERO;
        }
        List<Duration> each = new ArrayList<>();
        holds.forEach(hold -> each.add(hold.remaining()));
        each.sort(Collections.reverseOrder());
        return each.get(majority - 1);
    }

    @Override
    public void ensureHeld() {
        HoldState state = state();
        if (state == HoldState.RELEASED) {
            throw new IllegalStateException(this + " was released");
        }
        if (state == HoldState.LOST) {
            for (ExclusiveHold hold : holds) {
                try {
                    hold.ensureHeld();
                } catch (LockLostException lost) {
                    throw new LockLostException(this + " was lost: " + lost.getMessage(), lost.loss());
                } catch (IllegalStateException givenBack) {
                    // What is left of a majority that was lost is given back; another one says why.
                }
            }
            throw new IllegalStateException(this + " was lost");
        }
    }

    @Override
    public CompletableFuture<Loss> lost() {
        return loss.copy();
    }

    @Override
    public Registration onLost(Consumer<? super Loss> listener) {
        given(listener, "listener");
        CompletableFuture<Loss> own = loss.copy();
        own.thenAcceptAsync(listener, core.workers().callbacks());
        return () -> own.cancel(false);
    }

    @Override
    public ReleaseOutcome release() {
        return releaseAsync().join();
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        CompletableFuture<ReleaseOutcome> mine = new CompletableFuture<>();
        CompletableFuture<ReleaseOutcome> first;
        lock.lock();
        try {
            first = end.get();
            if (first == null) {
                end.set(mine);
            }
        } finally {
            lock.unlock();
        }
        if (first != null) {
            return first.copy();
        }
        List<CompletableFuture<ReleaseOutcome>> each = new ArrayList<>();
        holds.forEach(hold -> each.add(hold.releaseAsync()));
        CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
                .whenComplete((done, thrown) -> mine.complete(outcome(each)));
        return mine.copy();
    }

    private ReleaseOutcome outcome(List<CompletableFuture<ReleaseOutcome>> each) {
        int released = 0;
        boolean unknown = false;
        for (CompletableFuture<ReleaseOutcome> one : each) {
            ReleaseOutcome outcome = one.isCompletedExceptionally() ? ReleaseOutcome.UNKNOWN : one.join();
            released += outcome == ReleaseOutcome.RELEASED ? 1 : 0;
            unknown |= outcome == ReleaseOutcome.UNKNOWN;
        }
        if (loss.isDone()) {
            return ReleaseOutcome.NOT_HELD;
        }
        return released >= majority
                ? ReleaseOutcome.RELEASED
                : unknown ? ReleaseOutcome.UNKNOWN : ReleaseOutcome.NOT_HELD;
    }

    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return "a majority of " + holds;
    }
}
