package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.LeaseTimes;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.StoreAbility;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Sticky locks when words are lost or late, and what the store itself must do for them. */
public abstract class StickyFaultContract extends StickyCases {

    @Test
    void aWordThatWasLostIsSaidAgain() throws Exception {
        FaultyBackend backend = faulty();
        DistributedLock mine = sticky(counted(backend), freshName());
        keep(mine);
        backend.network().dropSignals(true);
        Task<ExclusiveHold> theirs =
                inThread(() -> otherKeeper().lock(mine.name()).acquire());
        awaitQueued(mine.name(), 1);
        letPass(A_WHILE);
        assertThat(theirs.isDone()).isFalse();
        backend.network().dropSignals(false);
        theirs.get().close();
        assertNoTrace(mine.name());
    }

    @Test
    void whoHearsNothingKeepsItForItsTimeOnly() throws Exception {
        FaultyBackend backend = faulty();
        Lockkeeper mine = counted(backend);
        backend.network().dropSignals(true);
        DistributedLock lock =
                mine.lock(freshName()).withLease(Duration.ofSeconds(30)).sticky(Duration.ofMillis(500));
        keep(lock);
        held(otherKeeper().lock(lock.name()).tryAcquire(PATIENCE)).close();
    }

    // Renewal says that others wait, too: so even who hears no signal gives it up between two holders.
    @Test
    @AboutTime
    void aBusyKeeperThatHearsNothingGivesItUpAllTheSame() throws Exception {
        Duration lease = lease();
        FaultyBackend backend = faulty();
        Lockkeeper mine = counted(backend);
        backend.network().dropSignals(true);
        DistributedLock lock = mine.lock(freshName()).withLease(lease).sticky(LeaseTimes.renewEvery(lease));
        Task<Boolean> busy = inThread(() -> {
            while (!Thread.interrupted()) {
                lock.acquire().close();
            }
            return true;
        });
        held(otherKeeper().lock(lock.name()).tryAcquire(lease.plus(PATIENCE))).close();
        busy.interrupt();
    }

    @Test
    @AboutTime
    void aCrashFreesWhatWasKeptWithinItsLease() throws Exception {
        FaultyBackend backend = faulty();
        // A session lasts as long as the lease of its keeper, whatever that of the view is.
        DistributedLock lock = openKeeper(backend, settings -> settings.lease(lease()))
                .lock(freshName())
                .sticky(LeaseTimes.renewEvery(lease()));
        keep(lock);
        backend.network().cut();
        held(otherKeeper().lock(lock.name()).tryAcquire(lease().plus(PATIENCE))).close();
        backend.network().heal();
    }

    @Test
    void whatCouldNotBeGivenBackIsGivenBackInTheBackground() throws Exception {
        FaultyBackend backend = faulty();
        DistributedLock lock = sticky(counted(backend), freshName());
        keep(lock);
        backend.network().failBefore(Call.RELEASE, 2);
        held(otherKeeper().lock(lock.name()).tryAcquire(PATIENCE)).close();
        backend.network().failAfter(Call.RELEASE, 1);
        keep(lock);
        held(otherKeeper().lock(lock.name()).tryAcquire(PATIENCE)).close();
        keep(lock);
        held(otherKeeper().lock(lock.name()).tryAcquire(PATIENCE)).close();
    }

    @Test
    void whatWasKeptAndEndedByForceIsNotTaken() throws Exception {
        FaultyBackend backend = faulty();
        DistributedLock lock = sticky(counted(backend), freshName());
        keep(lock);
        assertThat(otherKeeper().forceRelease(lock.name())).isTrue();
        eventually("its keeper heard of it", () -> backend.network().calls(Call.RELEASE) == 1);
        ExclusiveHold theirs = take(otherKeeper().lock(lock.name()));
        assertThat(lock.tryAcquire()).isNull();
        theirs.close();
        try (ExclusiveHold mine = take(lock)) {
            assertThat(mine.token()).isGreaterThan(theirs.token());
        }
    }

    @Test
    void everyAttemptOfAnotherKeeperAsksForTheClaimThatHolds() {
        Resource resource = lockNamed(freshName());
        StoreAccess mine = closing(new StoreAccess(this, fixture().backend()));
        StoreAccess theirs = closing(new StoreAccess(this, fixture().backend()));
        Claim first = mine.sticky(resource);
        Claim wanted = theirs.claim(resource, Mode.EXCLUSIVE);
        assertThat(mine.store().attempt(first)).isInstanceOf(Answer.Granted.class);
        for (int i = 0; i < 3; i++) {
            eventually("its keeper is asked", () -> asks(theirs, wanted) && mine.wasAskedFor(first));
        }
        eventually(
                "by readers too", () -> asks(theirs, theirs.claim(resource, Mode.SHARED)) && mine.wasAskedFor(first));
        assertThat(asks(mine, mine.claim(resource, Mode.EXCLUSIVE)))
                .as("a keeper need not ask itself")
                .isFalse();
        assertThat(mine.release(first)).isEqualTo(Release.Outcome.RELEASED);

        Claim plain = mine.claim(resource, Mode.EXCLUSIVE);
        assertThat(mine.store().attempt(plain)).isInstanceOf(Answer.Granted.class);
        assertThat(asks(theirs, wanted)).as("a plain grant is not asked for").isFalse();
        mine.release(plain);

        Claim second = mine.sticky(resource);
        assertThat(mine.store().attempt(second)).isInstanceOf(Answer.Granted.class);
        assertThat(mine.store().attempt(StoreAccess.again(second))).isInstanceOf(Answer.Granted.class);
        eventually("and the next sticky one", () -> asks(theirs, wanted) && mine.wasAskedFor(second));
        assertThat(StoreAbility.of(mine.store(), NarrowingStore.class).narrow(second, Mode.SHARED))
                .isTrue();
        assertThat(asks(theirs, wanted)).as("a reader's grant is not kept").isFalse();
        mine.release(second);
    }

    private static boolean asks(StoreAccess who, Claim claim) {
        return who.store().attempt(claim) instanceof Answer.Wait wait && wait.recalled();
    }
}
