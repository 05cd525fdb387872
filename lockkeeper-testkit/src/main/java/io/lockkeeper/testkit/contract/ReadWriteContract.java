package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.Overdue;
import io.lockkeeper.SharedLock;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Many read or one writes. For stores with {@link Capability#SHARED}. */
@SuppressWarnings("LockNotBeforeTry") // What happens between lock and unlock is the matter here.
public abstract class ReadWriteContract extends ReadWriteCases {
    @Test
    void readersOfAllKeepersShare() throws Exception {
        String name = freshName();
        try (SingleHold one = here(name).readLock().acquire();
                SingleHold two = here(name).readLock().acquire();
                SingleHold three = there(name).readLock().acquire();
                SingleHold four = got(there(name).readLock().tryAcquire(PATIENCE))) {
            for (SingleHold hold : List.of(one, two, three, four)) {
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
                assertThat(hold.name()).isEqualTo(name);
            }
            assertThat(List.of(one.id(), two.id(), three.id(), four.id())).doesNotHaveDuplicates();
        }
        free(there(name).writeLock());
    }

    @Test
    void aWriterIsAlone() throws Exception {
        String name = freshName();
        try (ExclusiveHold writing = here(name).writeLock().acquire()) {
            assertThat(writing.state()).isEqualTo(HoldState.HELD);
            taken(here(name).readLock());
            taken(there(name).readLock());
            taken(here(name).writeLock());
            taken(there(name).writeLock());
        }
        free(there(name).readLock());
    }

    @Test
    void readersKeepWritersOutUntilTheLastIsGone() throws Exception {
        String name = freshName();
        SingleHold mine = here(name).readLock().acquire();
        SingleHold theirs = there(name).readLock().acquire();
        Task<ExclusiveHold> writer = waiting(() -> there(name).writeLock().acquire());
        mine.close();
        assertThat(here(name).writeLock().tryAcquire(Duration.ofMillis(100))).isNull();
        assertThat(writer.isDone()).isFalse();
        theirs.close();
        writer.get().close();
    }

    @Test
    void writingIsTheSameResourceAsTheLockOfThatName() throws Exception {
        String name = freshName();
        try (ExclusiveHold hold = keeper().lock(name).acquire()) {
            taken(there(name).readLock());
            taken(there(name).writeLock());
        }
        try (SingleHold reading = here(name).readLock().acquire()) {
            taken(otherKeeper().lock(name));
            if (can(Capability.FAIR)) {
                taken(otherKeeper().fairLock(name));
            }
        }
        keeper().lock(name).lock();
        assertThat(here(name).writeLock().isHeldByCurrentThread()).isTrue();
        here(name).writeLock().unlock();
        free(otherKeeper().lock(name));
    }

    @Test
    void tokensOfWritersGrowOverReadersAndKeepers() throws Exception {
        String name = freshName();
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            try (SingleHold hold = here(name).writeLock().acquire()) {
                tokens.add(hold.token());
            }
            try (SingleHold hold = there(name).readLock().acquire()) {
                tokens.add(hold.token());
            }
            try (SingleHold hold = keeper().lock(name).acquire()) {
                tokens.add(hold.token());
            }
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void nobodyWritesWhileOthersReadOrWrite() throws Exception {
        String name = freshName();
        var readers = new AtomicInteger();
        var writers = new AtomicInteger();
        var wrong = new AtomicInteger();
        var written = new int[1];
        List<Task<?>> actors = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            DistributedReadWriteLock lock = i % 2 == 0 ? here(name) : there(name);
            boolean writes = i < 3;
            actors.add(running(() -> {
                for (int round = 0; round < 20; round++) {
                    if (writes) {
                        lock.writeLock().run(hold -> {
                            if (writers.incrementAndGet() > 1 || readers.get() > 0) {
                                wrong.incrementAndGet();
                            }
                            written[0]++;
                            writers.decrementAndGet();
                        });
                    } else {
                        lock.readLock().run(hold -> {
                            readers.incrementAndGet();
                            if (writers.get() > 0) {
                                wrong.incrementAndGet();
                            }
                            readers.decrementAndGet();
                        });
                    }
                }
            }));
        }
        untilDone(actors);
        results(actors);
        assertThat(wrong).hasValue(0);
        assertThat(written[0]).isEqualTo(3 * 20);
    }

    @Test
    void askingToWriteWhileReadingFailsAtOnce() throws Exception {
        String name = freshName();
        DistributedReadWriteLock lock = here(name);
        lock.readLock().lock();
        try {
            assertThatThrownBy(() -> lock.writeLock().lock()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> lock.writeLock().lockInterruptibly()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> lock.writeLock().acquire()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> keeper().lock(name).lock()).isInstanceOf(IllegalStateException.class);
            assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
            assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
            taken(there(name).writeLock());
            free(there(name).readLock());
        } finally {
            lock.readLock().unlock();
        }
        free(there(name).writeLock());
    }

    @Test
    void askingToReadByHandleWhileWritingByLockFailsAtOnce() throws Exception {
        DistributedReadWriteLock lock = here(freshName());
        lock.writeLock().lock();
        try {
            assertThatThrownBy(() -> lock.readLock().acquire()).isInstanceOf(IllegalStateException.class);
            assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
        } finally {
            lock.writeLock().unlock();
        }
    }

    @Test
    void readLocksNestByThreadEvenWhileAWriterWaits() throws Exception {
        String name = freshName();
        SharedLock lock = here(name).readLock();
        lock.lock();
        long token = lock.currentHold().token();
        Task<ExclusiveHold> writer = waiting(() -> there(name).writeLock().acquire());
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.holdCount()).isEqualTo(3);
        assertThat(lock.currentHold().token()).isEqualTo(token);
        lock.unlock();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(writer.isDone()).isFalse();
        lock.unlock();
        assertThat(lock.holdCount()).isZero();
        writer.get().close();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void readLocksNestByNamedOwnerFromAnyThread() throws Exception {
        String name = freshName();
        SharedLock lock = here(name).readLock().ownedBy("request-7");
        lock.lock();
        assertThat(inThread(() -> {
                            lock.lock();
                            return lock.holdCount();
                        })
                        .get())
                .isEqualTo(2);
        running(lock::unlock).get();
        taken(there(name).writeLock());
        lock.unlock();
        free(there(name).writeLock());
    }

    @Test
    @AboutTime
    void aReadHoldOfFixedLeaseEndsByItself() throws Exception {
        String name = freshName();
        SingleHold reading = here(name).readLock().withFixedLease(lease()).acquire();
        Task<ExclusiveHold> writer = inThread(() -> there(name).writeLock().acquire());
        assertThat(get(reading.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(reading.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(reading::ensureHeld).isInstanceOf(LockLostException.class);
        writer.get().close();
    }

    @Test
    @AboutTime
    void readersAreRenewedTogetherAndOneByOne() throws Exception {
        Duration lease = lease();
        String name = freshName();
        SharedLock lock = here(name).readLock().withLease(lease);
        SingleHold first = lock.acquire();
        SingleHold second = lock.acquire();
        first.close();
        outlast(lease);
        stillHeld(second);
        taken(there(name).writeLock());
        second.close();
        free(there(name).writeLock());
    }

    @Test
    void closingAKeeperFreesItsReadersAndTellsThem() throws Exception {
        String name = freshName();
        Lockkeeper closing = openKeeper();
        List<SingleHold> holds = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            holds.add(closing.readWriteLock(name).readLock().acquire());
        }
        closing.close();
        for (SingleHold hold : holds) {
            assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.KEEPER_CLOSED);
        }
        soonFree(here(name).writeLock());
    }

    @Test
    @AboutTime
    void aKilledReaderLetsTheWriterInAndLeavesTheOtherReadersAlone() throws Exception {
        String name = freshName();
        Peer victim = peer(lease());
        assertThat(victim.ask("read " + name)).startsWith("held");
        SingleHold mine = here(name).readLock().acquire();
        Task<ExclusiveHold> writer = waiting(() -> there(name).writeLock().acquire());
        victim.kill();
        letPass(A_WHILE);
        assertThat(mine.state()).isEqualTo(HoldState.HELD);
        assertThat(writer.isDone()).isFalse();
        mine.close();
        writer.get().close();
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    @AboutTime
    void readersTakenAwayByForceAllLearnOfIt() throws Exception {
        String name = freshName();
        // A third of it is soon, all of it is later than a machine stalls: else they would be lost by their deadline.
        SharedLock lock = here(name).readLock().withLease(lease().multipliedBy(4));
        List<SingleHold> holds = List.of(lock.acquire(), lock.acquire(), lock.acquire());
        assertThat(otherKeeper().forceRelease(name)).isTrue();
        for (SingleHold hold : holds) {
            get(hold.lost());
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
        }
        free(there(name).writeLock());
    }

    @Test
    void asynchronousReadersAndWritersTakeTurns() throws Exception {
        String name = freshName();
        SingleHold reading = get(here(name).readLock().acquireAsync());
        CompletableFuture<ExclusiveHold> writer = there(name).writeLock().acquireAsync();
        SingleHold other = get(keeper().readWriteLock(freshName()).readLock().acquireAsync());
        assertThat(writer).isNotDone();
        reading.close();
        ExclusiveHold writing = get(writer);
        CompletableFuture<@Nullable SingleHold> late = here(name).readLock().tryAcquireAsync();
        assertThat(this.<@Nullable SingleHold>get(late)).isNull();
        CompletableFuture<SingleHold> reader = here(name).readLock().acquireAsync();
        assertThat(get(writing.releaseAsync())).isNotNull();
        get(reader).close();
        other.close();
    }

    // As a ReentrantReadWriteLock of the JDK answers.
    @Test
    void aTryToWriteWhileReadingSaysNo() throws Exception {
        String name = freshName();
        DistributedReadWriteLock lock = here(name);
        lock.readLock().lock();
        try {
            assertThat(lock.writeLock().tryLock()).isFalse();
            assertThat(lock.writeLock().tryLock(1, TimeUnit.HOURS)).isFalse();
            assertThat(lock.writeLock().tryAcquire()).isNull();
            assertThat(lock.writeLock().tryAcquire(Duration.ofHours(1))).isNull();
            assertThat(MultiLock.of(lock.writeLock()).tryLock()).isFalse();
            assertThatThrownBy(() -> MultiLock.of(lock.writeLock()).lock()).isInstanceOf(IllegalStateException.class);
            assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        } finally {
            lock.readLock().unlock();
        }
        free(there(name).writeLock());
    }

    @Test
    void eachHalfSaysWhetherItIsLocked() throws Exception {
        String name = freshName();
        DistributedReadWriteLock lock = there(name);
        try (SingleHold reading = here(name).readLock().acquire()) {
            assertThat(reading.isHeld()).isTrue();
            assertThat(lock.readLock().isLocked()).isTrue();
            assertThat(lock.writeLock().isLocked()).isFalse();
        }
        eventually("it is free", () -> !lock.readLock().isLocked());
        try (ExclusiveHold writing = here(name).writeLock().acquire()) {
            assertThat(writing.isHeld()).isTrue();
            assertThat(lock.readLock().isLocked()).isFalse();
            assertThat(lock.writeLock().isLocked()).isTrue();
        }
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    void oneHalfIsReleasedByForceAndTheOtherIsLeftAlone() throws Exception {
        String name = freshName();
        DistributedReadWriteLock lock = there(name);
        SingleHold reading = here(name).readLock().acquire();
        assertThat(lock.writeLock().forceRelease()).isFalse();
        assertThat(reading.isHeld()).isTrue();
        eventually("readers are ended", () -> lock.readLock().forceRelease());
        ExclusiveHold writing = got(there(name).writeLock().tryAcquire(PATIENCE));
        assertThat(here(name).readLock().forceRelease()).isFalse();
        assertThat(writing.isHeld()).isTrue();
        eventually("the writer is ended", () -> here(name).writeLock().forceRelease());
        soonFree(here(name).readLock());
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aViewOfTheLockIsAViewOfBothHalves() throws Exception {
        String name = freshName();
        DistributedReadWriteLock fixed = here(name).withFixedLease(brief());
        SingleHold reading = got(fixed.readLock().tryAcquire(PATIENCE));
        assertThat(get(reading.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        ExclusiveHold writing = got(fixed.writeLock().tryAcquire(PATIENCE));
        assertThat(get(writing.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        DistributedReadWriteLock bounded =
                here(name).withLease(PATIENCE.multipliedBy(4)).withMaxHold(brief(), Overdue.LOSE);
        SingleHold kept = got(bounded.readLock().tryAcquire(PATIENCE));
        assertThat(get(kept.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        soonFree(there(name).writeLock());
        assertThatThrownBy(() -> here(name).giveUpAfter(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMultiLockTakesReadLocksToo() throws Exception {
        String name = freshName();
        MultiLock here = MultiLock.of(here(name + "/a").readLock(), keeper().lock(name + "/b"));
        MultiLock there =
                MultiLock.of(there(name + "/a").readLock(), otherKeeper().lock(name + "/c"));
        try (MultiHold mine = here.acquire();
                MultiHold theirs = got(there.tryAcquire(PATIENCE))) {
            assertThat(mine.holds()).hasSize(2);
            assertThat(mine.exclusiveHolds())
                    .singleElement()
                    .satisfies(hold -> assertThat(hold.name()).isEqualTo(name + "/b"));
            assertThat(theirs.isHeld()).isTrue();
            taken(there(name + "/a").writeLock());
            taken(otherKeeper().lock(name + "/b"));
        }
        soonFree(there(name + "/a").writeLock());
        here.lock();
        try {
            assertThat(here(name + "/a").readLock().isHeldByCurrentThread()).isTrue();
            free(there(name + "/a").readLock());
            taken(there(name + "/a").writeLock());
            try (MultiHold later = get(there.acquireAsync())) {
                assertThat(later.isHeld()).isTrue();
            }
        } finally {
            here.unlock();
        }
        soonFree(there(name + "/a").writeLock());
        assertThatThrownBy(() -> MultiLock.of(here(name).readLock(), here(name).writeLock()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }
}
