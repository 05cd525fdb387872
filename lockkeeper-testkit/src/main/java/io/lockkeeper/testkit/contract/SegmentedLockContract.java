package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiHold;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SegmentHold;
import io.lockkeeper.SegmentedLock;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One lock cut into segments: as many holders as there are segments, or one of all. */
public abstract class SegmentedLockContract extends PrimitiveContract {

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.segmentedLock(name, 4);
    }

    private SegmentedLock here(String name) {
        return keeper().segmentedLock(name, 4);
    }

    private SegmentedLock there(String name) {
        return otherKeeper().segmentedLock(name, 4);
    }

    /** One of those that are free: by a single try, or soon where a slow member of a quorum may be one too many. */
    private SegmentHold one(SegmentedLock lock) throws InterruptedException {
        return got(can(Capability.QUEUE) ? lock.tryAcquire() : lock.tryAcquire(PATIENCE));
    }

    @Test
    void asManyHoldAsThereAreSegments() throws Exception {
        String name = freshName();
        assertThat(here(name).name()).isEqualTo(name);
        assertThat(here(name).segments()).isEqualTo(4);
        List<SegmentHold> holds = new ArrayList<>();
        Set<Integer> segments = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            SegmentHold hold = one(i % 2 == 0 ? here(name) : there(name));
            assertThat(hold.segment()).isBetween(0, 3);
            assertThat(hold.name()).isEqualTo(name);
            segments.add(hold.segment());
            holds.add(hold);
        }
        assertThat(segments).hasSize(4);
        taken(here(name));
        taken(there(name));
        holds.get(2).close();
        try (SegmentHold again = one(there(name))) {
            assertThat(again.segment()).isEqualTo(holds.get(2).segment());
            assertThat(again.token()).isGreaterThan(holds.get(2).token());
        }
        holds.forEach(SegmentHold::close);
    }

    @Test
    void aWaiterGetsTheSegmentThatIsFreedFirst() throws Exception {
        String name = freshName();
        List<SegmentHold> holds = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            holds.add(one(here(name)));
        }
        for (int freed = 3; freed >= 0; freed--) {
            Task<SegmentHold> waiter = waiting(() -> there(name).acquire());
            assertThat(waiter.isDone()).isFalse();
            holds.get(freed).close();
            assertThat(waiter.get().segment()).isEqualTo(holds.get(freed).segment());
            holds.set(freed, waiter.get());
        }
        CompletableFuture<SegmentHold> asynchronous = here(name).acquireAsync();
        assertThat(here(name).tryAcquire(Duration.ofMillis(50))).isNull();
        assertThat(this.<@Nullable SegmentHold>get(there(name).tryAcquireAsync(Duration.ofMillis(50))))
                .isNull();
        holds.get(1).close();
        try (SegmentHold hold = get(asynchronous)) {
            assertThat(hold.segment()).isEqualTo(holds.get(1).segment());
        }
        holds.forEach(SegmentHold::close);
    }

    @Test
    void severalWaitersAreAllServed() throws Exception {
        String name = freshName();
        List<SegmentHold> holds = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            holds.add(one(here(name)));
        }
        List<Task<SegmentHold>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            SegmentedLock lock = i % 2 == 0 ? here(name) : there(name);
            waiters.add(waiting(() -> lock.acquire()));
        }
        holds.forEach(SegmentHold::close);
        List<SegmentHold> served = results(waiters);
        assertThat(served).extracting(SegmentHold::segment).containsExactlyInAnyOrder(0, 1, 2, 3);
        served.forEach(SegmentHold::close);
    }

    @Test
    void oneSegmentCanBeNamed() throws Exception {
        String name = freshName();
        try (SegmentHold two = here(name).segment(2).acquire()) {
            assertThat(two.segment()).isEqualTo(2);
            taken(there(name).segment(2));
            free(there(name).segment(1));
            try (SegmentHold any = one(there(name))) {
                assertThat(any.segment()).isNotEqualTo(2);
            }
        }
        for (int wrong : new int[] {-1, 4}) {
            assertThatThrownBy(() -> here(name).segment(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(wrong));
        }
        for (int wrong : new int[] {0, 100_001}) {
            assertThatThrownBy(() -> keeper().segmentedLock(name, wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aKeyBelongsToTheSameSegmentEverywhere() throws Exception {
        String name = freshName();
        Set<Integer> used = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            String key = "customer-" + i;
            int segment;
            try (SegmentHold hold = here(name).forKey(key).acquire()) {
                segment = hold.segment();
                assertThat(segment).isBetween(0, 3);
                taken(there(name).forKey(key));
            }
            try (SegmentHold hold = there(name).forKey(key).acquire()) {
                assertThat(hold.segment()).isEqualTo(segment);
            }
            used.add(segment);
        }
        assertThat(used).as("40 keys reach all 4 segments").hasSize(4);
    }

    @Test
    void allAtOnceShutsEverybodyOut() throws Exception {
        String name = freshName();
        try (MultiHold all = here(name).acquireAll()) {
            assertThat(all.holds()).hasSize(4);
            assertThat(all.holds()).allMatch(hold -> hold.state() == HoldState.HELD);
            taken(there(name));
            taken(there(name).forKey("any"));
            for (int i = 0; i < 4; i++) {
                taken(here(name).segment(i));
            }
            assertThat(there(name).tryAcquireAll(Duration.ofMillis(50))).isNull();
        }
        soonFree(there(name));
        got(there(name).tryAcquireAll(PATIENCE)).close();
    }

    @Test
    void allAtOnceWaitsForTheLastHolder() throws Exception {
        String name = freshName();
        SegmentHold one = here(name).segment(0).acquire();
        SegmentHold two = there(name).segment(3).acquire();
        Task<MultiHold> all = waiting(() -> there(name).acquireAll());
        CompletableFuture<MultiHold> asynchronous = here(name).acquireAllAsync();
        assertThat(here(name).tryAcquireAll(Duration.ofMillis(50))).isNull();
        one.close();
        assertThat(all.isDone()).isFalse();
        assertThat(asynchronous).isNotDone();
        two.close();
        Task<@Nullable Void> first = running(() -> all.get().close());
        Task<@Nullable Void> second = running(() -> get(asynchronous).close());
        first.get();
        second.get();
        soonFree(here(name));
    }

    @Test
    void allAtOnceIsNotStarvedByThoseWhoTakeOne() throws Exception {
        String name = freshName();
        var inside = new AtomicIntegerArray(4);
        var wrong = new AtomicInteger();
        var rounds = new AtomicInteger();
        List<Task<@Nullable Void>> tasks = new ArrayList<>();
        var stop = new CompletableFuture<@Nullable Void>();
        for (int i = 0; i < 6; i++) {
            SegmentedLock lock = i % 2 == 0 ? here(name) : there(name);
            tasks.add(running(() -> {
                while (!stop.isDone()) {
                    lock.run(hold -> {
                        if (inside.incrementAndGet(hold.segment()) > 1) {
                            wrong.incrementAndGet();
                        }
                        rounds.incrementAndGet();
                        letPass(Duration.ofMillis(1));
                        inside.decrementAndGet(hold.segment());
                    });
                    breathe();
                }
            }));
        }
        try {
            eventually("they work", () -> rounds.get() > 10);
            try (MultiHold all = got(there(name).tryAcquireAll(PATIENCE.multipliedBy(2)))) {
                for (int i = 0; i < 4; i++) {
                    assertThat(inside.get(i)).isZero();
                }
                assertThat(all.exclusiveHolds())
                        .extracting(ExclusiveHold::state)
                        .containsOnly(HoldState.HELD);
            }
        } finally {
            stop.complete(null);
        }
        results(tasks);
        assertThat(wrong).hasValue(0);
    }

    @Test
    void whoGivesUpLeavesNoTrace() throws Exception {
        String name = freshName();
        MultiHold all = here(name).acquireAll();
        Task<SegmentHold> interrupted = waiting(() -> there(name).acquire());
        CompletableFuture<SegmentHold> cancelled = there(name).acquireAsync();
        assertThat(here(name).tryAcquire(Duration.ofMillis(50))).isNull();
        interrupted.interrupt();
        assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
        cancelled.cancel(true);
        all.close();
        eventually("all can be had at once", () -> {
            try (MultiHold again = here(name).tryAcquireAll(Duration.ZERO)) {
                return again != null;
            }
        });
    }

    @Test
    void aWaiterOutlivesAStoreThatIsSilentForAWhile() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        SegmentedLock cutOff = openKeeper(faulty).segmentedLock(name, 4);
        faulty.network().cut();
        assertThatThrownBy(cutOff::tryAcquire).isInstanceOf(StoreUnavailableException.class);
        Task<@Nullable Void> waiter = running(() -> cutOff.acquire().close());
        CompletableFuture<ReleaseOutcome> future = cutOff.acquireAsync().thenApply(SegmentHold::release);
        letPass(A_WHILE);
        assertThat(waiter.isDone()).isFalse();
        assertThat(future).isNotDone();
        faulty.network().heal();
        waiter.get();
        get(future);
        got(there(name).tryAcquireAll(PATIENCE)).close();
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void theLeaseOfAViewIsRenewed() throws Exception {
        Duration lease = lease();
        String name = freshName();
        try (SegmentHold hold = here(name).withLease(lease).acquire();
                SegmentHold named = here(name)
                        .withLease(lease)
                        .segment((hold.segment() + 1) % 4)
                        .acquire()) {
            outlast(lease);
            stillHeld(hold);
            taken(there(name).segment(hold.segment()));
            taken(there(name).segment(named.segment()));
        }
    }

    @Test
    void aLockOfTheSameNameIsSomethingElse() throws Exception {
        String name = freshName();
        try (MultiHold all = here(name).acquireAll()) {
            free(keeper().lock(name));
            assertThat(all.state()).isEqualTo(HoldState.HELD);
        }
    }
}
