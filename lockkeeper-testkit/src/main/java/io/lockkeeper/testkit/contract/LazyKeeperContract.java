package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A keeper that is opened before its store is there. */
public abstract class LazyKeeperContract extends ContractTest {

    /** The store of the fixture, which cannot be opened until it arrives. */
    private static final class Awaited implements Backend {

        private final Backend backend;
        private final AtomicInteger opened = new AtomicInteger();
        private volatile RuntimeException failure = new StoreUnavailableException("It is not there yet");
        private volatile boolean here;

        Awaited(Backend backend) {
            this.backend = backend;
        }

        @Override
        public String describe() {
            return backend.describe();
        }

        @Override
        public Set<Capability> capabilities() {
            return backend.capabilities();
        }

        @Override
        public Duration longestLease() {
            return backend.longestLease();
        }

        @Override
        public Store open(Keeper keeper) {
            if (!here) {
                throw failure;
            }
            opened.incrementAndGet();
            return backend.open(keeper);
        }

        @Override
        public void close() {}
    }

    private Awaited awaited() {
        return new Awaited(fixture().backend());
    }

    private Lockkeeper lazy(Backend backend) {
        return closing(settings().lazy().open(backend));
    }

    @Test
    void withoutBeingLazyAKeeperDoesNotOpen() {
        assertThatThrownBy(() -> settings().open(awaited())).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void untilTheStoreIsThereItDoesNotAnswer() throws Exception {
        Awaited store = awaited();
        Lockkeeper keeper = lazy(store);
        String name = freshName();
        assertThatThrownBy(() -> keeper.lock(name).tryAcquire()).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> keeper.lock(name).tryAcquire(Duration.ofMillis(20)))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> keeper.inspect(name)).isInstanceOf(StoreUnavailableException.class);
        if (can(Capability.HOLDERS)) {
            assertThatThrownBy(() -> keeper.list("")).isInstanceOf(StoreUnavailableException.class);
        }
        CompletableFuture<ExclusiveHold> waiting = keeper.lock(name).acquireAsync();
        Task<Long> blocked = inThread(() -> {
            try (ExclusiveHold hold = keeper.lock(name).acquire()) {
                return hold.token();
            }
        });
        assertThat(waiting).isNotDone();
        store.here = true;
        ExclusiveHold hold = get(waiting);
        assertThat(stateOf(name).grants()).hasSize(1);
        hold.close();
        assertThat(blocked.get()).isPositive();
        assertThat(store.opened).as("opened once").hasValue(1);
        assertNoTrace(name);
    }

    @Test
    void itOffersWhatTheStoreOffers() throws Exception {
        Awaited store = awaited();
        Lockkeeper keeper = lazy(store);
        store.here = true;
        if (can(Capability.LATCH)) {
            String name = freshName();
            eventually("the latch is set", () -> {
                try {
                    return keeper.latch(name).trySetCount(1);
                } catch (StoreUnavailableException notYet) {
                    return false;
                }
            });
            assertThat(keeper().latch(name).count()).isEqualTo(1);
            keeper.latch(name).countDown();
        } else {
            assertNotOffered(Capability.LATCH, () -> keeper.latch("x"));
        }
        try (ExclusiveHold hold = take(keeper.lock(freshName()))) {
            hold.ensureHeld();
        }
    }

    @Test
    void whatAPersonHasToMendIsToldAtOnce() {
        Awaited store = awaited();
        store.failure = new LockkeeperException("The password is wrong; give another one");
        Lockkeeper keeper = lazy(store);
        assertThatThrownBy(() -> keeper.lock(freshName()).acquire())
                .isInstanceOf(ClaimRefusedException.class)
                .hasMessageContaining("password");
        store.here = true;
        take(keeper.lock(freshName())).close();
    }

    @Test
    @AboutTime
    void aKeeperThatNeverMetItsStoreCanBeClosed() {
        Awaited store = awaited();
        Lockkeeper keeper = settings().lazy().commandTimeout(HASTY).open(store);
        CompletableFuture<ExclusiveHold> waiting = keeper.lock(freshName()).acquireAsync();
        keeper.close();
        assertThatThrownBy(() -> get(waiting)).isInstanceOf(Exception.class);
        assertThat(store.opened).hasValue(0);
    }
}
