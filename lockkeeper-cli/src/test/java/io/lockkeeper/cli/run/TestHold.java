package io.lockkeeper.cli.run;

import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.SingleHold;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A hold that is lost when a test says so. */
final class TestHold implements SingleHold {

    private final CompletableFuture<Loss> loss = new CompletableFuture<>();

    void lose() {
        loss.complete(new Loss(Loss.Reason.EXPIRED, new Resource(Family.LOCK, name()), id(), token()));
    }

    @Override
    public String id() {
        return "a-hold";
    }

    @Override
    public String name() {
        return "orders/42";
    }

    @Override
    public long token() {
        return 17;
    }

    @Override
    public HoldState state() {
        return loss.isDone() ? HoldState.LOST : HoldState.HELD;
    }

    @Override
    public Duration remaining() {
        return Duration.ofSeconds(30);
    }

    @Override
    public void ensureHeld() {}

    @Override
    public CompletableFuture<Loss> lost() {
        return loss.copy();
    }

    @Override
    public Registration onLost(Consumer<? super Loss> listener) {
        loss.thenAccept(listener);
        return () -> {};
    }

    @Override
    public ExtendOutcome extend(Duration lease) {
        return ExtendOutcome.NOT_HELD;
    }

    @Override
    public CompletableFuture<ExtendOutcome> extendAsync(Duration lease) {
        return CompletableFuture.completedFuture(extend(lease));
    }

    @Override
    public ReleaseOutcome release() {
        return ReleaseOutcome.RELEASED;
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return CompletableFuture.completedFuture(release());
    }

    @Override
    public void close() {}
}
