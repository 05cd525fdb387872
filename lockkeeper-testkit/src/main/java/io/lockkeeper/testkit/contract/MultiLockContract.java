package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several locks as one: all or none. */
public abstract class MultiLockContract extends MultiLockCases {

    @Test
    void allAreHeldAndThenAllAreFree() throws Exception {
        String[] names = names(3);
        try (MultiHold all = keeper().multiLock(names).acquire()) {
            assertThat(all.state()).isEqualTo(HoldState.HELD);
            assertThat(all.remaining()).isPositive();
            all.ensureHeld();
            for (String name : names) {
                taken(otherKeeper().lock(name));
                taken(keeper().lock(name));
            }
        }
        for (String name : names) {
            free(otherKeeper().lock(name));
        }
    }

    @Test
    void theHoldsComeInTheOrderInWhichTheyWereNamed() throws Exception {
        String[] names = names(4);
        List<String> order = new ArrayList<>(List.of(names));
        Collections.swap(order, 0, 3);
        Collections.swap(order, 1, 2);
        List<Long> before = new ArrayList<>();
        try (MultiHold all = keeper().multiLock(order.toArray(String[]::new)).acquire()) {
            assertThat(all.holds()).extracting(SingleHold::name).containsExactlyElementsOf(order);
            assertThat(all.holds()).allMatch(hold -> hold.state() == HoldState.HELD);
            all.holds().forEach(hold -> before.add(hold.token()));
        }
        try (MultiHold all = keeper().multiLock(order.toArray(String[]::new)).acquire()) {
            for (int i = 0; i < 4; i++) {
                assertThat(all.holds().get(i).token()).isGreaterThan(before.get(i));
            }
        }
    }

    @Test
    void whereOneIsTakenNoneIsTaken() throws Exception {
        String[] names = names(3);
        for (String busy : names) {
            try (ExclusiveHold hold = otherKeeper().lock(busy).acquire()) {
                MultiLock lock = keeper().multiLock(names);
                taken(lock);
                assertThat(lock.tryAcquire(Duration.ofMillis(50))).isNull();
                assertThat(this.<@Nullable MultiHold>get(lock.tryAcquireAsync()))
                        .isNull();
                assertThat(this.<@Nullable MultiHold>get(lock.tryAcquireAsync(Duration.ofMillis(50))))
                        .isNull();
                for (String name : names) {
                    if (!name.equals(busy)) {
                        soonFree(otherKeeper().lock(name));
                    }
                }
            }
        }
        soonFree(keeper().multiLock(names));
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void oneTimeLimitCoversAllOfThem() throws Exception {
        oneLimitForAll();
    }

    private void oneLimitForAll() throws Exception {
        String[] names = names(3);
        List<ExclusiveHold> busy = new ArrayList<>();
        for (String name : names) {
            busy.add(otherKeeper().lock(name).acquire());
        }
        // Each is freed within a second of its turn; together that is later than a second.
        Task<@Nullable MultiHold> caller =
                waiting(() -> keeper().multiLock(names).tryAcquire(Duration.ofSeconds(1)));
        for (ExclusiveHold hold : busy) {
            letPass(Duration.ofMillis(600));
            hold.close();
        }
        assertThat(caller.get()).isNull();
        allFree(names);
    }

    @Test
    void itIsAcquiredWhenTheLastIsFreed() throws Exception {
        String[] names = names(3);
        List<ExclusiveHold> busy = new ArrayList<>();
        for (String name : names) {
            busy.add(otherKeeper().lock(name).acquire());
        }
        Task<MultiHold> caller = waiting(() -> keeper().multiLock(names).acquire());
        CompletableFuture<MultiHold> asynchronous = keeper().multiLock(names).acquireAsync();
        for (int i : new int[] {2, 0, 1}) {
            assertThat(caller.isDone()).isFalse();
            assertThat(asynchronous).isNotDone();
            busy.get(i).close();
        }
        Task<@Nullable Void> one = running(() -> caller.get().close());
        Task<@Nullable Void> two = running(() -> get(asynchronous).close());
        one.get();
        two.get();
        allFree(names);
    }

    @Test
    void overlappingSetsDoNotDeadlock() throws Exception {
        String[] names = names(4);
        var inside = new AtomicIntegerArray(4);
        var wrong = new AtomicInteger();
        List<Task<@Nullable Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Lockkeeper keeper = i % 2 == 0 ? keeper() : otherKeeper();
            int first = i % 4;
            int second = (first + 1 + i / 4) % 4;
            MultiLock lock = keeper.multiLock(names[first], names[second]);
            tasks.add(running(() -> {
                for (int round = 0; round < 10; round++) {
                    lock.run(holds -> {
                        for (int mine : new int[] {first, second}) {
                            if (inside.incrementAndGet(mine) > 1) {
                                wrong.incrementAndGet();
                            }
                        }
                        inside.decrementAndGet(first);
                        inside.decrementAndGet(second);
                    });
                }
            }));
        }
        untilDone(tasks);
        results(tasks);
        assertThat(wrong).hasValue(0);
        allFree(names);
    }

    @Test
    void oppositeNamingInTwoKeepersOfTwoStoresDoesNotDeadlock() throws Exception {
        String name = freshName();
        try (Lockkeeper first = Lockkeeper.connect("memory:" + name);
                Lockkeeper second = Lockkeeper.connect("memory:" + name)) {
            List<Task<@Nullable Void>> tasks = new ArrayList<>();
            List<MultiLock> locks = List.of(
                    MultiLock.of(keeper().lock(name), first.lock(name)),
                    MultiLock.of(second.lock(name), otherKeeper().lock(name)),
                    MultiLock.of(first.lock(name + "/x"), keeper().lock(name)),
                    MultiLock.of(otherKeeper().lock(name), second.lock(name + "/x")));
            var inside = new AtomicInteger();
            var wrong = new AtomicInteger();
            for (MultiLock lock : locks) {
                tasks.add(running(() -> {
                    for (int round = 0; round < 15; round++) {
                        lock.run(holds -> {
                            if (inside.incrementAndGet() > 1) {
                                wrong.incrementAndGet();
                            }
                            inside.decrementAndGet();
                        });
                    }
                }));
            }
            untilDone(tasks);
            results(tasks);
            assertThat(wrong).hasValue(0);
        }
    }

    @Test
    @AboutTime
    void theSameResourceTwiceIsRefused() {
        String name = freshName();
        assertThatThrownBy(() -> keeper().multiLock(name, name + "/x", name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
        assertThatThrownBy(() ->
                        MultiLock.of(keeper().lock(name), keeper().lock(name).withLease(lease())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
        assertThatThrownBy(() -> MultiLock.of(keeper().lock(name), otherKeeper().lock(name))
                        .acquire())
                .as("two keepers of one store, which only the store can tell")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
        if (can(Capability.SHARED)) {
            assertThatThrownBy(() -> MultiLock.of(
                            keeper().lock(name), keeper().readWriteLock(name).writeLock()))
                    .as("the write lock is the same resource")
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> keeper().multiLock()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MultiLock.of(new DistributedLock[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoHasOneOfThemByLockIsRefusedAtOnce() {
        String[] names = names(2);
        DistributedLock owned = keeper().lock(names[1]);
        owned.lock();
        try {
            assertThatThrownBy(() -> keeper().multiLock(names).acquire()).isInstanceOf(IllegalStateException.class);
            soonFree(otherKeeper().lock(names[0]));
            taken(otherKeeper().lock(names[1]));
        } finally {
            owned.unlock();
        }
    }

    @Test
    void theAsynchronousReleaseFreesAll() throws Exception {
        String[] names = names(2);
        MultiHold all = get(keeper().multiLock(names).acquireAsync());
        assertThat(get(all.releaseAsync())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(all.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(all.state()).isEqualTo(HoldState.RELEASED);
        assertThat(all.holds()).allMatch(hold -> hold.state() == HoldState.RELEASED);
        free(otherKeeper().multiLock(names));
    }

    // D12: the lease does not grow with the wait.
    @Test
    void theLeaseIsThatOfTheViewHoweverLongItWaited() throws Exception {
        String[] names = names(2);
        Duration lease = Duration.ofSeconds(20);
        ExclusiveHold busy = otherKeeper().lock(names[1]).acquire();
        Task<MultiHold> caller =
                waiting(() -> keeper().multiLock(names).withLease(lease).acquire());
        letPass(A_WHILE);
        busy.close();
        try (MultiHold all = caller.get()) {
            for (String name : names) {
                Duration remaining =
                        keeper().inspect(name).orElseThrow().grants().get(0).remaining();
                if (can(Capability.EXPIRES)) {
                    assertThat(remaining).isBetween(Duration.ofMillis(1), lease);
                } else {
                    assertThat(remaining).isPositive();
                }
            }
            assertThat(all.remaining()).isPositive();
        }
    }
}
