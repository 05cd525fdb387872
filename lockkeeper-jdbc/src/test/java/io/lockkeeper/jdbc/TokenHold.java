package io.lockkeeper.jdbc;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A pair of token and id, as some store at some time granted it. Guards look at nothing else. */
record TokenHold(long token, String id) implements ExclusiveHold {

    @Override
    public String name() {
        return "till";
    }

    @Override
    public HoldState state() {
        return HoldState.HELD;
    }

    @Override
    public Duration remaining() {
        return UNLIMITED;
    }

    @Override
    public void ensureHeld() {}

    @Override
    public CompletableFuture<Loss> lost() {
        return new CompletableFuture<>();
    }

    @Override
    public Registration onLost(Consumer<? super Loss> listener) {
        return () -> {};
    }

    @Override
    public ExtendOutcome extend(Duration lease) {
        throw new IllegalStateException("Only a pair");
    }

    @Override
    public CompletableFuture<ExtendOutcome> extendAsync(Duration lease) {
        throw new IllegalStateException("Only a pair");
    }

    @Override
    public ReleaseOutcome release() {
        throw new IllegalStateException("Only a pair");
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        throw new IllegalStateException("Only a pair");
    }

    @Override
    public void close() {}
}
