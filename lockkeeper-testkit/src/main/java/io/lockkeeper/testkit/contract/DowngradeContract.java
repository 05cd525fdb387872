package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** From writing to reading in one step. For stores with {@link Capability#SHARED}. */
@SuppressWarnings("LockNotBeforeTry") // What happens between lock and unlock is the matter here.
public abstract class DowngradeContract extends ReadWriteCases {
    @Test
    void theWriteHoldIsReleasedAndTheReadHoldHasItsToken() throws Exception {
        String name = freshName();
        ExclusiveHold writing = here(name).writeLock().acquire();
        try (SingleHold reading = here(name).downgrade(writing)) {
            assertThat(writing.state()).isEqualTo(HoldState.RELEASED);
            assertThat(writing.lost()).isNotDone();
            assertThat(reading.state()).isEqualTo(HoldState.HELD);
            assertThat(reading.token()).isEqualTo(writing.token());
            writing.close();
            assertThat(reading.state()).isEqualTo(HoldState.HELD);
            taken(there(name).writeLock());
            free(there(name).readLock());
        }
        free(there(name).writeLock());
        try (ExclusiveHold next = there(name).writeLock().acquire()) {
            assertThat(next.token()).isGreaterThan(writing.token());
        }
    }

    // D21: readers do not wait for a lease to end.
    @Test
    void readersWhoWaitedComeInAtOnce() throws Exception {
        String name = freshName();
        ExclusiveHold writing = here(name).writeLock().acquire();
        List<Task<SingleHold>> readers = new ArrayList<>();
        for (DistributedReadWriteLock lock : List.of(here(name), there(name), there(name))) {
            readers.add(waiting(() -> lock.readLock().acquire()));
        }
        CompletableFuture<SingleHold> asynchronous = there(name).readLock().acquireAsync();
        SingleHold reading = here(name).downgrade(writing);
        List<SingleHold> holds = new ArrayList<>(results(readers));
        holds.add(get(asynchronous));
        assertThat(reading.state()).isEqualTo(HoldState.HELD);
        assertThat(holds).allMatch(hold -> hold.state() == HoldState.HELD);
        holds.forEach(SingleHold::close);
        reading.close();
        soonFree(there(name).writeLock());
    }

    @Test
    void aWriterWhoWaitedGoesOnWaiting() throws Exception {
        String name = freshName();
        ExclusiveHold writing = here(name).writeLock().acquire();
        Task<ExclusiveHold> theirs = waiting(() -> there(name).writeLock().acquire());
        Task<ExclusiveHold> mine = waiting(() -> here(name).writeLock().acquire());
        SingleHold reading = here(name).downgrade(writing);
        assertThat(otherKeeper().lock(name).tryAcquire(Duration.ofMillis(200))).isNull();
        assertThat(theirs.isDone()).isFalse();
        assertThat(mine.isDone()).isFalse();
        assertThat(reading.state()).isEqualTo(HoldState.HELD);
        reading.close();
        Task<?> one = running(() -> theirs.get().close());
        Task<?> two = running(() -> mine.get().close());
        one.get();
        two.get();
    }

    @Test
    void theWayOfTheJdkLetsNoWriterInBetween() throws Exception {
        String name = freshName();
        DistributedReadWriteLock lock = here(name);
        lock.writeLock().lock();
        long token = lock.writeLock().currentHold().token();
        Task<ExclusiveHold> writer = waiting(() -> there(name).writeLock().acquire());
        lock.readLock().lock();
        taken(there(name).readLock());
        lock.writeLock().unlock();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        assertThat(lock.readLock().currentHold().token()).isEqualTo(token);
        assertThat(lock.readLock().currentHold().state()).isEqualTo(HoldState.HELD);
        assertThat(writer.isDone()).isFalse();
        lock.readLock().unlock();
        try (ExclusiveHold next = writer.get()) {
            assertThat(next.token()).isGreaterThan(token);
        }
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void theWayOfTheJdkLetsReadersInAtOnce() throws Exception {
        String name = freshName();
        DistributedReadWriteLock lock = here(name);
        lock.writeLock().lock();
        Task<SingleHold> reader = waiting(() -> there(name).readLock().acquire());
        lock.readLock().lock();
        lock.writeLock().unlock();
        SingleHold other = reader.get();
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        other.close();
        lock.readLock().unlock();
        free(there(name).writeLock());
    }

    @Test
    void readingWithinWritingUnlockedInTheOrderOfNestingStaysWriting() throws Exception {
        String name = freshName();
        DistributedReadWriteLock lock = here(name);
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().lock();
        assertThat(lock.readLock().holdCount()).isEqualTo(2);
        lock.readLock().unlock();
        lock.readLock().unlock();
        assertThat(lock.readLock().isHeldByCurrentThread()).isFalse();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
        taken(there(name).readLock());
        lock.writeLock().unlock();
        free(there(name).writeLock());
    }

    @Test
    void aNestedWriteLockIsDowngradedByItsLastUnlock() throws Exception {
        String name = freshName();
        DistributedReadWriteLock lock = here(name);
        lock.writeLock().lock();
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.writeLock().unlock();
        taken(there(name).readLock());
        lock.writeLock().unlock();
        free(there(name).readLock());
        taken(there(name).writeLock());
        lock.readLock().unlock();
        free(there(name).writeLock());
    }

    @Test
    @AboutTime
    void aDowngradedHoldIsRenewedOn() throws Exception {
        Duration lease = lease();
        String name = freshName();
        DistributedReadWriteLock lock = here(name);
        ExclusiveHold writing = lock.writeLock().withLease(lease).acquire();
        SingleHold reading = lock.downgrade(writing);
        outlast(lease);
        stillHeld(reading);
        taken(there(name).writeLock());
        assertThat(reading.release()).isEqualTo(ReleaseOutcome.RELEASED);
        free(there(name).writeLock());
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void whatWasLostOrReleasedIsNotDowngraded() throws Exception {
        String name = freshName();
        DistributedReadWriteLock lock = here(name);
        ExclusiveHold expired = lock.writeLock().withFixedLease(lease()).acquire();
        get(expired.lost());
        assertThatThrownBy(() -> lock.downgrade(expired)).isInstanceOf(LockLostException.class);
        assertThat(failureOf(lock.downgradeAsync(expired))).isInstanceOf(LockLostException.class);
        ExclusiveHold released = lock.writeLock().acquire();
        released.close();
        assertThatThrownBy(() -> lock.downgrade(released)).isInstanceOf(IllegalStateException.class);
        ExclusiveHold downgraded = lock.writeLock().acquire();
        lock.downgrade(downgraded).close();
        assertThatThrownBy(() -> lock.downgrade(downgraded)).isInstanceOf(IllegalStateException.class);
        free(there(name).writeLock());
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    void aWriteHoldThatTheStoreForgotIsLostNotDowngraded() throws Exception {
        String name = freshName();
        ExclusiveHold writing = here(name).writeLock().acquire();
        otherKeeper().forceRelease(name);
        assertThatThrownBy(() -> here(name).downgrade(writing)).isInstanceOf(LockLostException.class);
        assertThat(writing.state()).isEqualTo(HoldState.LOST);
        free(there(name).writeLock());
    }

    @Test
    void aHoldOfAnotherNameIsRefused() throws Exception {
        try (ExclusiveHold writing = here(freshName()).writeLock().acquire()) {
            assertThatThrownBy(() -> here(freshName()).downgrade(writing)).isInstanceOf(IllegalArgumentException.class);
            assertThat(writing.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void theAsynchronousFormDoesTheSame() throws Exception {
        String name = freshName();
        ExclusiveHold writing = here(name).writeLock().acquire();
        try (SingleHold reading = get(here(name).downgradeAsync(writing))) {
            assertThat(reading.token()).isEqualTo(writing.token());
            free(there(name).readLock());
            taken(there(name).writeLock());
        }
        free(there(name).writeLock());
    }

    @Test
    void aLostReplyDowngradesOnceAndLetsNoWriterIn() throws Exception {
        String name = freshName();
        FaultyBackend faulty = faulty();
        DistributedReadWriteLock lock = openKeeper(faulty).readWriteLock(name);
        ExclusiveHold writing = lock.writeLock().acquire();
        faulty.network().failAfter(Call.NARROW, 1);
        SingleHold reading = lock.downgrade(writing);
        assertThat(reading.state()).isEqualTo(HoldState.HELD);
        taken(there(name).writeLock());
        soonFree(there(name).readLock());
        reading.close();
        soonFree(there(name).writeLock());
    }
}
