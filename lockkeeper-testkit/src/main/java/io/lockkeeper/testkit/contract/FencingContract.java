package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.ExtendOutcome;
import io.lockkeeper.Fencing;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.StaleTokenException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A guard beside the data lets the stale write no more, whatever the store and the clocks did. */
public abstract class FencingContract extends ContractTest {

    @Test
    @AboutTime
    void aStaleHolderIsRefusedOnceItsSuccessorWrote() throws Exception {
        String name = freshName();
        Fencing guard = Fencing.inMemory();
        ExclusiveHold stale = take(keeper().lock(name).withFixedLease(brief()));
        guard.admit("till", stale);
        guard.admit("till", stale);
        try (ExclusiveHold next = otherKeeper().lock(name).acquire()) {
            guard.admit("till", next);
            assertThatThrownBy(() -> guard.admit("till", stale))
                    .isInstanceOfSatisfying(StaleTokenException.class, e -> {
                        assertThat(e.token()).isEqualTo(stale.token());
                        assertThat(e.seen()).isEqualTo(next.token());
                    })
                    .hasMessageContaining("till")
                    .hasMessageContaining(Long.toString(stale.token()))
                    .hasMessageContaining(Long.toString(next.token()));
            guard.admit("till", next);
            guard.admit("another till", stale);
        }
    }

    @Test
    @AboutTime
    void afterALossTheNextHolderIsAdmittedAndTheLastRefused() throws Exception {
        Fencing guard = Fencing.inMemory();
        ExclusiveHold lost = lostHold(keeper().lock(freshName()));
        guard.admit("till", lost);
        try (ExclusiveHold next = keeper().lock(lost.name()).acquire()) {
            guard.admit("till", next);
            assertThatThrownBy(() -> guard.admit("till", lost)).isInstanceOf(StaleTokenException.class);
        }
    }

    // The usual check, token >= last, lets two holders through if a store ever repeats a token.
    @Test
    void anEqualTokenOfAnotherHoldIsRefused() {
        Fencing guard = Fencing.inMemory();
        try (ExclusiveHold hold = take(keeper().lock(freshName()))) {
            guard.admit("till", hold);
            assertThatThrownBy(() -> guard.admit("till", new Forged(hold, "another id")))
                    .isInstanceOf(StaleTokenException.class);
            guard.admit("till", new Forged(hold, hold.id()));
        }
    }

    /** A hold with another's token, as a store that repeats tokens would grant it. */
    private record Forged(ExclusiveHold original, String id) implements ExclusiveHold {

        @Override
        public String name() {
            return original.name();
        }

        @Override
        public long token() {
            return original.token();
        }

        @Override
        public HoldState state() {
            return original.state();
        }

        @Override
        public Duration remaining() {
            return original.remaining();
        }

        @Override
        public void ensureHeld() {
            original.ensureHeld();
        }

        @Override
        public CompletableFuture<Loss> lost() {
            return original.lost();
        }

        @Override
        public Registration onLost(Consumer<? super Loss> listener) {
            return original.onLost(listener);
        }

        @Override
        public ExtendOutcome extend(Duration lease) {
            return original.extend(lease);
        }

        @Override
        public CompletableFuture<ExtendOutcome> extendAsync(Duration lease) {
            return original.extendAsync(lease);
        }

        @Override
        public ReleaseOutcome release() {
            return original.release();
        }

        @Override
        public CompletableFuture<ReleaseOutcome> releaseAsync() {
            return original.releaseAsync();
        }

        @Override
        public void close() {
            original.close();
        }
    }
}
