package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.MultiHold;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Several holds as one: it is as good as the worst of them. */
record LiveMultiHold(List<SingleHold> holds) implements MultiHold {

    @Override
    public List<ExclusiveHold> exclusiveHolds() {
        return holds.stream()
                .filter(ExclusiveHold.class::isInstance)
                .map(ExclusiveHold.class::cast)
                .toList();
    }

    @Override
    public HoldState state() {
        HoldState worst = HoldState.HELD;
        for (SingleHold hold : holds) {
            HoldState state = hold.state();
            if (state == HoldState.LOST) {
                return state;
            }
            worst = state.compareTo(worst) > 0 ? state : worst;
        }
        return worst;
    }

    @Override
    public Duration remaining() {
        return holds.stream()
                .map(SingleHold::remaining)
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    @Override
    public void ensureHeld() {
        holds.forEach(SingleHold::ensureHeld);
    }

    @Override
    public CompletableFuture<Loss> lost() {
        return LossNotice.firstOf(holds.stream().map(LiveHold.class::cast).toList());
    }

    @Override
    public Registration onLost(Consumer<? super Loss> listener) {
        given(listener, "listener");
        AtomicBoolean told = new AtomicBoolean();
        List<Registration> registrations = new ArrayList<>();
        for (SingleHold hold : holds) {
            registrations.add(hold.onLost(loss -> {
                if (told.compareAndSet(false, true)) {
                    listener.accept(loss);
                }
            }));
        }
        return () -> registrations.forEach(Registration::close);
    }

    @Override
    public ReleaseOutcome release() {
        ReleaseOutcome worst = ReleaseOutcome.RELEASED;
        for (int i = holds.size() - 1; i >= 0; i--) {
            worst = worse(worst, holds.get(i).release());
        }
        return worst;
    }

    private static ReleaseOutcome worse(ReleaseOutcome a, ReleaseOutcome b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        CompletableFuture<ReleaseOutcome> all = CompletableFuture.completedFuture(ReleaseOutcome.RELEASED);
        for (SingleHold hold : holds) {
            all = all.thenCombine(hold.releaseAsync(), LiveMultiHold::worse);
        }
        return all;
    }

    @Override
    public void close() {
        for (int i = holds.size() - 1; i >= 0; i--) {
            holds.get(i).close();
        }
    }
}
