package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HandOff;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.OwnedLock;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SharedLock;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who goes first among readers and writers, and which readers share a grant. For stores with {@link Capability#SHARED}. */
public abstract class ReaderFairnessContract extends ReadWriteCases {
    @Test
    void aWriterGetsInThroughAStreamOfReadersOfItsOwnKeeper() throws Exception {
        String name = freshName();
        getsInThroughAStream(here(name).writeLock(), List.of(here(name).readLock()));
    }

    @Test
    void aWriterGetsInThroughAStreamOfReadersOfOtherKeepers() throws Exception {
        String name = freshName();
        getsInThroughAStream(
                there(name).writeLock(),
                List.of(here(name).readLock(), openKeeper().readWriteLock(name).readLock()));
    }

    @Test
    void aReaderGetsInThroughAStreamOfWriters() throws Exception {
        String name = freshName();
        getsInThroughAStream(
                there(name).readLock(),
                List.of(here(name).writeLock(), there(name).writeLock()));
    }

    /** Three threads per stream keep it always held by somebody, as far as the lock lets them. */
    private void getsInThroughAStream(OwnedLock<?, ?> lock, List<? extends OwnedLock<?, ?>> streams) throws Exception {
        var stop = new AtomicBoolean();
        var passed = new AtomicInteger();
        List<Task<@Nullable Void>> actors = new ArrayList<>();
        for (OwnedLock<?, ?> stream : streams) {
            for (int i = 0; i < 3; i++) {
                actors.add(running(() -> {
                    while (!stop.get()) {
                        stream.run(hold -> {
                            passed.incrementAndGet();
                            letPass(Duration.ofMillis(2));
                        });
                        breathe();
                    }
                }));
            }
        }
        try {
            eventually("the stream flows", () -> passed.get() > 10);
            Task<@Nullable Void> caller = running(() -> {
                for (int i = 0; i < 3; i++) {
                    got(lock.tryAcquire(PATIENCE)).close();
                }
            });
            eventually("it got in three times", PATIENCE.multipliedBy(2), caller::isDone);
            caller.get();
        } finally {
            stop.set(true);
        }
        results(actors);
    }

    @Test
    void readersDoNotOvertakeAWriterWhoseKeeperHasReadersItself() throws Exception {
        String name = freshName();
        SingleHold reading = here(name).readLock().acquire();
        Task<ExclusiveHold> writer = waiting(() -> here(name).writeLock().acquire());
        soonTaken(here(name).readLock());
        soonTaken(there(name).readLock());
        assertThat(writer.isDone()).isFalse();
        reading.close();
        writer.get().close();
    }

    @Test
    void readersDoNotOvertakeAWriterOfAnotherKeeperThatWaits() throws Exception {
        String name = freshName();
        SingleHold reading = here(name).readLock().acquire();
        Task<ExclusiveHold> writer = waiting(() -> there(name).writeLock().acquire());
        soonTaken(there(name).readLock());
        soonTaken(here(name).readLock());
        assertThat(writer.isDone()).isFalse();
        reading.close();
        writer.get().close();
    }

    @Test
    void aWriterThatGivesUpLetsTheReadersBehindItIn() throws Exception {
        String name = freshName();
        try (SingleHold reading = here(name).readLock().acquire()) {
            for (WayToGiveUp way : WayToGiveUp.values()) {
                DistributedReadWriteLock there = there(name);
                CompletableFuture<ExclusiveHold> cancelled = there.writeLock().acquireAsync();
                Task<?> interrupted = waiting(() -> there.writeLock().acquire());
                Task<?> timed = inThread(() -> there.writeLock().tryAcquire(Duration.ofMillis(300)));
                soonTaken(there.readLock());
                Task<SingleHold> behind = inThread(() -> there.readLock().acquire());
                Task<SingleHold> behindHere =
                        inThread(() -> here(name).readLock().acquire());
                if (way == WayToGiveUp.IN_ORDER) {
                    cancelled.cancel(true);
                    interrupted.interrupt();
                    timed.get();
                } else {
                    timed.get();
                    interrupted.interrupt();
                    cancelled.cancel(true);
                }
                behind.get().close();
                behindHere.get().close();
                assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
                assertThat(reading.state()).isEqualTo(HoldState.HELD);
            }
        }
        soonFree(otherKeeper().lock(name));
    }

    private enum WayToGiveUp {
        IN_ORDER,
        BACKWARDS
    }

    @Test
    void readersOfOneKeeperShareOneGrantWithinTheBound() throws Exception {
        String name = freshName();
        Lockkeeper keeper = openKeeper(builder -> builder.handOff(new HandOff(64, Duration.ofMinutes(1))));
        SharedLock lock = keeper.readWriteLock(name).readLock();
        List<SingleHold> holds = List.of(lock.acquire(), lock.acquire(), lock.acquire());
        if (can(Capability.HAND_OFF)) {
            assertThat(holds)
                    .extracting(SingleHold::token)
                    .containsOnly(holds.get(0).token());
            assertGrants(name, 1);
        } else {
            assertThat(holds).extracting(SingleHold::token).doesNotHaveDuplicates();
        }
        holds.get(0).close();
        holds.get(1).close();
        taken(otherKeeper().lock(name));
        holds.get(2).close();
        free(otherKeeper().lock(name));
    }

    @TestIfOffered(Capability.HOLDERS)
    void beyondTheBoundReadersHaveGrantsOfTheirOwn() throws Exception {
        String name = freshName();
        Lockkeeper keeper = openKeeper(builder -> builder.handOff(new HandOff(3, Duration.ofMinutes(1))));
        List<SingleHold> holds = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            holds.add(keeper.readWriteLock(name).readLock().acquire());
        }
        long grants = holds.stream().map(SingleHold::token).distinct().count();
        assertThat(grants).isGreaterThan(1);
        assertGrants(name, grants);
        holds.forEach(SingleHold::close);
        free(otherKeeper().lock(name));
    }

    @TestIfOffered(Capability.HOLDERS)
    void withoutHandOffEachReaderHasItsOwnGrant() throws Exception {
        String name = freshName();
        Lockkeeper keeper = openKeeper(builder -> builder.handOff(HandOff.OFF));
        List<SingleHold> holds = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            holds.add(keeper.readWriteLock(name).readLock().acquire());
        }
        assertThat(holds).extracting(SingleHold::token).doesNotHaveDuplicates();
        assertGrants(name, 3);
        holds.forEach(SingleHold::close);
        free(otherKeeper().lock(name));
    }

    @TestIfOffered(Capability.PORTABLE)
    void portableReadersShareNothing() throws Exception {
        String name = freshName();
        SharedLock lock = here(name).readLock().portable();
        SingleHold one = got(lock.tryAcquire());
        SingleHold two = got(lock.tryAcquire());
        assertThat(one.token()).isNotEqualTo(two.token());
        assertThat(otherKeeper().release(name, one.id())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(two.state()).isEqualTo(HoldState.HELD);
        taken(otherKeeper().lock(name));
        assertThat(otherKeeper().release(name, two.id())).isEqualTo(ReleaseOutcome.RELEASED);
        free(otherKeeper().lock(name));
    }

    /** The number of grants in the store. A member of a quorum may hear of one later than the majority that granted it. */
    private void assertGrants(String name, long grants) {
        if (can(Capability.QUEUE)) {
            assertThat(grants(name)).isEqualTo(grants);
        } else {
            eventually(grants + " grants are seen", () -> grants(name) == grants);
        }
    }

    private long grants(String name) {
        return keeper().inspect(name)
                .map(ResourceState::grants)
                .map(List::size)
                .orElse(0)
                .longValue();
    }
}
