package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Sticky locks: taken again without a request, and given up as soon as another keeper wants them. */
public abstract class StickyContract extends StickyCases {

    @Test
    void takenAgainAndAgainWithoutARequest() throws Exception {
        FaultyBackend backend = faulty();
        DistributedLock lock = sticky(counted(backend), freshName());
        // Tokens do not run ahead of the store's clock, so a name that is new to the store has none for many holds.
        take(otherKeeper().lock(lock.name())).close();
        letPass(Duration.ofMillis(10));
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            try (ExclusiveHold hold = lock.acquire()) {
                tokens.add(hold.token());
                hold.ensureHeld();
            }
            held(lock.tryAcquire()).close();
            lock.lock();
            lock.unlock();
            get(lock.acquireAsync()).close();
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(backend.network().calls(Call.ATTEMPT)).isEqualTo(1);
        assertThat(backend.network().calls(Call.RELEASE)).isZero();
        assertThat(stateOf(lock.name()).grants()).as("it looks held").hasSize(1);
        assertThat(take(otherKeeper().lock(lock.name())).token()).isGreaterThan(tokens.get(tokens.size() - 1));
    }

    @Test
    void whenItsTokensAreSpentItIsAskedForAnew() {
        FaultyBackend backend = faulty();
        DistributedLock lock = sticky(counted(backend), freshName());
        int pairs = 5_000;
        long last = 0;
        for (int i = 0; i < pairs; i++) {
            try (ExclusiveHold hold = take(lock)) {
                assertThat(hold.token()).isGreaterThan(last);
                last = hold.token();
            }
        }
        assertThat(backend.network().calls(Call.ATTEMPT)).isBetween(2L, pairs / 4L);
    }

    @Test
    void anotherKeeperIsGivenItAtOnce() throws Exception {
        DistributedLock mine = sticky(keeper(), freshName());
        DistributedLock theirs = otherKeeper().lock(mine.name());
        keep(mine);
        theirs.acquire().close();
        keep(mine);
        held(theirs.tryAcquire(PATIENCE)).close();
        keep(mine);
        get(theirs.acquireAsync()).close();
        keep(mine);
        held(sticky(otherKeeper(), mine.name()).tryAcquire(PATIENCE)).close();
    }

    // One try waits for 100 ms at most, which a busy machine may need for the answer alone: then the next one has it.
    @Test
    void evenASingleTryAsksItBack() {
        DistributedLock mine = sticky(keeper(), freshName());
        DistributedLock theirs = otherKeeper().lock(mine.name());
        List<Integer> tries = new ArrayList<>();
        for (int round = 0; round < 10 || (round < 200 && !tries.contains(1)); round++) {
            keep(mine);
            int[] asked = {0};
            eventually("a try is answered with it", () -> {
                asked[0]++;
                try (ExclusiveHold hold = theirs.tryAcquire()) {
                    return hold != null;
                }
            });
            tries.add(asked[0]);
            keep(mine);
            eventually("a try in the way of the JDK too", theirs::tryLock);
            theirs.unlock();
            keep(mine);
            eventually("and one without a thread", () -> {
                try (ExclusiveHold hold = get(theirs.tryAcquireAsync())) {
                    return hold != null;
                }
            });
        }
        assertThat(tries).contains(1);
        assertNoTrace(mine.name());
    }

    @Test
    void whatIsHeldIsNotGivenUpButGoesBackWhenReleased() {
        FaultyBackend backend = faulty();
        DistributedLock mine = sticky(counted(backend), freshName());
        keep(mine);
        ExclusiveHold hold = take(mine);
        taken(otherKeeper().lock(mine.name()));
        assertKept(hold);
        assertThat(backend.network().calls(Call.RELEASE)).isZero();
        // The word may still be on its way when that answer comes.
        letPass(A_WHILE);
        hold.close();
        assertNoTrace(mine.name());
        assertThat(backend.network().calls(Call.RELEASE)).isEqualTo(1);
    }

    @Test
    void itIsNotHandedOnPastAKeeperThatAsks() throws Exception {
        FaultyBackend backend = faulty();
        DistributedLock mine = sticky(counted(backend), freshName());
        List<String> order = new CopyOnWriteArrayList<>();
        ExclusiveHold hold = take(mine);
        Task<Boolean> theirs = inThread(() -> {
            try (SingleHold got = otherKeeper().lock(mine.name()).acquire()) {
                return order.add("theirs " + got.token());
            }
        });
        awaitQueued(mine.name(), 1);
        Task<Boolean> ours = inThread(() -> {
            try (SingleHold got = mine.acquire()) {
                return order.add("ours " + got.token());
            }
        });
        awaitParked(ours);
        eventually("the word has come", () -> backend.network().words() > 0);
        hold.close();
        assertThat(theirs.get()).isTrue();
        assertThat(ours.get()).isTrue();
        assertThat(order).hasSize(2);
        assertThat(order.get(0)).startsWith("theirs");
    }

    @Test
    void keptNoLongerThanItsTimeAndNotRenewedMeanwhile() {
        FaultyBackend backend = faulty();
        Lockkeeper mine = counted(backend);
        // Its lease ends later than anybody here waits.
        DistributedLock lock =
                mine.lock(freshName()).withLease(PATIENCE.multipliedBy(2)).sticky(Duration.ofMillis(200));
        keep(lock);
        assertNoTrace(lock.name());
        assertThat(backend.network().calls(Call.RELEASE)).isEqualTo(1);
        assertThat(backend.network().calls(Call.RENEW)).isZero();
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aHoldThatWasTakenWithoutARequestIsRenewed() throws Exception {
        Duration lease = lease();
        DistributedLock lock = keeper().lock(freshName()).withLease(lease).sticky(LeaseTimes.renewEvery(lease));
        keep(lock);
        letPass(lease.dividedBy(4));
        try (ExclusiveHold hold = lock.acquire()) {
            letPass(lease.multipliedBy(2));
            assertKept(hold);
            assertExcludesOthers(hold);
        }
        assertNoTrace(lock.name());
    }

    @Test
    void closingTheKeeperGivesItBack() {
        Lockkeeper brief = openKeeper();
        DistributedLock lock = sticky(brief, freshName());
        keep(lock);
        brief.close();
        assertNoTrace(lock.name());
    }

    @Test
    @AboutTime
    void otherViewsOfTheSameKeeperTakeItOrHaveItGivenBack() throws Exception {
        FaultyBackend backend = faulty();
        Lockkeeper mine = counted(backend);
        DistributedLock lock = sticky(mine, freshName());
        keep(lock);
        try (ExclusiveHold plain = mine.lock(lock.name()).withLease(LONG_LEASE).acquire()) {
            assertThat(plain.token()).isPositive();
            assertThat(backend.network().calls(Call.ATTEMPT)).isEqualTo(1);
        }
        assertNoTrace(lock.name());
        DistributedReadWriteLock both = mine.readWriteLock(lock.name());
        keep(lock);
        both.readLock().acquire().close();
        keep(lock);
        eventually("a single try of a reader", () -> {
            try (SingleHold reading = both.readLock().tryAcquire()) {
                return reading != null;
            }
        });
        keep(lock);
        eventually("a single try with another lease", () -> {
            try (SingleHold other = mine.lock(lock.name()).tryAcquire()) {
                return other != null;
            }
        });
        keep(lock);
        mine.lock(lock.name()).withFixedLease(lease()).acquire().close();
        keep(lock);
        mine.fairLock(lock.name()).acquire().close();
        keep(lock);
        if (can(Capability.PORTABLE)) {
            mine.lock(lock.name()).portable().acquire().close();
        } else {
            mine.lock(lock.name()).withLease(LONG_LEASE).acquire().close();
        }
        assertNoTrace(lock.name());
    }

    @Test
    void nestingAndNamedOwnersAreAsEver() {
        DistributedLock lock = sticky(keeper(), freshName()).ownedBy("request 7");
        for (int i = 0; i < 3; i++) {
            lock.lock();
            lock.lock();
            assertThat(lock.holdCount()).isEqualTo(2);
            lock.unlock();
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
            lock.unlock();
            assertThat(lock.holdCount()).isZero();
        }
        held(keeper().lock(lock.name()).withLease(LONG_LEASE).tryAcquire()).close();
        assertNoTrace(lock.name());
    }

    @Test
    void aWriterThatBecameAReaderIsNotKept() throws Exception {
        DistributedReadWriteLock lock = keeper().readWriteLock(freshName());
        ExclusiveHold writing =
                lock.writeLock().withLease(LONG_LEASE).sticky(LONG).acquire();
        try (SingleHold reading = lock.downgrade(writing)) {
            held(otherKeeper().readWriteLock(lock.name()).readLock().tryAcquire(PATIENCE))
                    .close();
            assertKept(reading);
        }
        assertNoTrace(lock.name());
    }

    @Test
    void busyStickyKeepersShareItInOrderOfTokens() throws Exception {
        String name = freshName();
        List<Long> tokens = new ArrayList<>();
        List<Task<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            DistributedLock lock = sticky(i % 2 == 0 ? keeper() : otherKeeper(), name);
            tasks.add(inThread(() -> {
                for (int round = 0; round < 50; round++) {
                    // The list is only as safe as the lock.
                    lock.run(hold -> tokens.add(hold.token()));
                }
                return true;
            }));
        }
        untilDone(tasks);
        for (Task<Boolean> task : tasks) {
            assertThat(task.get()).isTrue();
        }
        assertThat(tokens).hasSize(200).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void whatCannotBeStickySaysSo() {
        DistributedLock lock = keeper().lock(freshName()).withLease(Duration.ofSeconds(30));
        assertThatThrownBy(() -> lock.sticky(Duration.ofMillis(10_001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10.001s")
                .hasMessageContaining("is due for renewal after 10s; use at most that");
        assertThatThrownBy(() -> lock.sticky(Duration.ofSeconds(10)).withLease(Duration.ofSeconds(29)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("with a lease of 29s");
        assertThatThrownBy(() -> lock.sticky(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lock.sticky(Duration.ofSeconds(1)).portable())
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("portable");
        assertThatThrownBy(() -> lock.sticky(Duration.ofSeconds(1)).withFixedLease(Duration.ofSeconds(30)))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("fixed lease");
        assertThatThrownBy(() -> keeper().fairLock(lock.name()).sticky(Duration.ofSeconds(1)))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("keeper.lock(name).sticky(Duration)");
    }
}
