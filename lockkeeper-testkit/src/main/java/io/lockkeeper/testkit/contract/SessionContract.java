package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.testkit.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a keeper has in its session ends with the session, and nothing else does; leases are longer or shorter than the session. */
@Needs(value = Capability.EXPIRES, without = Capability.LEASES)
public abstract class SessionContract extends ContractTest {

    private static final int MANY = 50;

    /** A keeper whose session has the timeout of the lease for cases about time. */
    private Lockkeeper openBriefKeeper() {
        return openKeeper(settings -> settings.lease(lease()));
    }

    // ---- leases and sessions

    @Test
    @AboutTime
    void aHoldWhoseLeaseIsLongerThanTheSessionIsKept() {
        Duration longer = lease().multipliedBy(10);
        ExclusiveHold hold = take(openBriefKeeper().lock(freshName()).withLease(longer));
        letPass(lease().multipliedBy(3));
        assertKept(hold);
        assertThat(hold.remaining()).isLessThanOrEqualTo(fixture().hasSessionsByLease() ? longer : lease());
        taken(otherKeeper().lock(hold.name()));
        hold.close();
    }

    @Test
    @AboutTime
    void aHoldWhoseLeaseIsShorterThanTheSessionIsKept() {
        ExclusiveHold hold = take(openKeeper().lock(freshName()).withLease(lease()));
        letPass(lease().multipliedBy(3));
        assertKept(hold);
        assertThat(hold.remaining()).isLessThanOrEqualTo(lease());
        taken(otherKeeper().lock(hold.name()));
        hold.close();
    }

    @Test
    @AboutTime
    void aFixedLeaseThatIsLongerThanTheSessionLastsUntilItsEnd() throws Exception {
        Duration fixed = lease().multipliedBy(3);
        ExclusiveHold hold = take(openBriefKeeper().lock(freshName()).withFixedLease(fixed));
        letPass(lease().multipliedBy(2));
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        taken(otherKeeper().lock(hold.name()));
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertNextHolderHasAGreaterToken(hold);
    }

    @Test
    @AboutTime
    void aFixedLeaseThatIsShorterThanTheSessionEndsByItself() throws Exception {
        ExclusiveHold hold = take(openKeeper().lock(freshName()).withFixedLease(lease()));
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertNextHolderHasAGreaterToken(hold);
    }

    private void assertNextHolderHasAGreaterToken(ExclusiveHold before) {
        try (ExclusiveHold next = take(otherKeeper().lock(before.name()))) {
            assertThat(next.token()).isGreaterThan(before.token());
        }
    }

    // ---- the end of a session

    @Test
    void theEndOfASessionReachesAllHoldsOfItsKeeperAndNoHoldOfAnother() throws Exception {
        Lockkeeper ended = openKeeper();
        List<ExclusiveHold> holds = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            holds.add(take(ended.lock(freshName())));
        }
        ExclusiveHold theirs = take(openKeeper().lock(freshName()));
        fixture().endSession(ended);
        for (ExclusiveHold hold : holds) {
            assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.SESSION_ENDED);
        }
        letPass(A_WHILE);
        assertKept(theirs);
        taken(otherKeeper().lock(theirs.name()));
        ExclusiveHold first = holds.get(0);
        try (ExclusiveHold again = take(ended.lock(first.name()))) {
            assertThat(again.token()).isGreaterThan(first.token());
        }
        theirs.close();
    }

    /** A lock that is answered from what the process remembers would be nested in a hold that another process has now. */
    @Test
    void afterTheEndOfASessionNothingIsNestedInWhatWasHeld() throws Exception {
        Lockkeeper ended = openKeeper();
        DistributedLock lock = ended.lock(freshName());
        lock.lock();
        ExclusiveHold known = take(ended.lock(freshName()));
        fixture().endSession(ended);
        assertThat(get(known.lost()).reason()).isEqualTo(Loss.Reason.SESSION_ENDED);
        try (ExclusiveHold next = take(otherKeeper().lock(lock.name()))) {
            assertThat(next.state()).isEqualTo(HoldState.HELD);
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.tryLock()).isFalse();
            assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        }
    }

    // ---- those that wait

    @TestIfOffered(Capability.FAIR)
    void aWaiterLosesItsPlaceWithItsSessionAndQueuesAgain() throws Exception {
        String name = freshName();
        ExclusiveHold held = take(otherKeeper().lock(name));
        Lockkeeper ended = openKeeper();
        ExclusiveHold known = take(ended.lock(freshName()));
        Task<ExclusiveHold> waiter = inThread(() -> ended.fairLock(name).acquire());
        awaitQueued(name, 1);
        Lockkeeper beside = openKeeper();
        Task<ExclusiveHold> behind = inThread(() -> beside.fairLock(name).acquire());
        awaitQueued(name, 2);
        fixture().endSession(ended);
        // The old place went with the session, so two claims in the queue are the one behind it and the new place.
        assertThat(get(known.lost()).reason()).isEqualTo(Loss.Reason.SESSION_ENDED);
        awaitQueued(name, 2);
        held.close();
        ExclusiveHold first = behind.get();
        assertThat(waiter.isDone()).isFalse();
        first.close();
        try (ExclusiveHold second = waiter.get()) {
            assertThat(second.token()).isGreaterThan(first.token());
        }
        assertNoTrace(name);
    }

    /**
     * Only the first of a keeper's fair waiters polls often. Were its claim queued anew behind one of the others, that one would be
     * next and not poll for it.
     */
    @TestIfOffered(Capability.FAIR)
    void aFairClaimThatHasLostItsPlaceIsNotQueuedAnew() {
        StoreAccess access = closing(new StoreAccess(this, fixture().backend()));
        Resource lock = lockNamed(freshName());
        Claim fair = access.claim(lock, Mode.EXCLUSIVE).withQueueing(Claim.Queueing.FAIR);
        assertThat(access.store().attempt(fair.withPlaced(true)))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.cause()).isEqualTo(Answer.Cause.RELEASED));
        assertThat(access.store().inspect(lock)).isEmpty();
        access.granted(fair, true);
        access.release(fair);
    }

    @Test
    void aWaiterIsServedThoughItsSessionEnded() throws Exception {
        String name = freshName();
        ExclusiveHold held = take(otherKeeper().lock(name));
        Lockkeeper ended = openKeeper();
        Task<ExclusiveHold> waiter = inThread(() -> ended.lock(name).acquire());
        awaitParked(waiter);
        awaitQueued(name, 1);
        fixture().endSession(ended);
        assertKept(held);
        held.close();
        waiter.get().close();
    }

    /**
     * One that waits again for as long after its session has ended would come back after the one that began later. There is time for a
     * client that waits before it connects again.
     */
    @Test
    @AboutTime
    void aWaiterKeepsItsTimeoutWhenItsSessionEnds() throws Exception {
        String name = freshName();
        ExclusiveHold held = take(otherKeeper().lock(name));
        Lockkeeper ended = openKeeper();
        Lockkeeper beside = openKeeper();
        Duration second = Duration.ofSeconds(1);
        Task<Moment> waiter = inThread(() -> whenRefused(ended, name, second.multipliedBy(8)));
        letPass(second.multipliedBy(2));
        fixture().endSession(ended);
        Task<Moment> later = inThread(() -> whenRefused(beside, name, second.multipliedBy(7)));
        assertThat(waiter.get().mono()).isLessThan(later.get().mono());
        assertKept(held);
        held.close();
        assertNoTrace(name);
    }

    private Moment whenRefused(Lockkeeper keeper, String name, Duration timeout) throws InterruptedException {
        Moment begin = clocks().now();
        assertThat(keeper.lock(name).tryAcquire(timeout)).isNull();
        Moment end = clocks().now();
        assertThat(end.mono() - begin.mono()).isGreaterThanOrEqualTo(timeout.toNanos());
        return end;
    }

    /** The keeper learns of it by its next contact, which comes soon in a short session. */
    @Test
    @AboutTime
    void aWaiterWhosePlaceWasDeletedQueuesAgain() throws Exception {
        String name = freshName();
        if (!can(Fault.LOSE_PLACES)) {
            assertThatThrownBy(() -> fixture().losePlaces(lockNamed(name))).isInstanceOf(IllegalStateException.class);
            assertThat(can(Capability.QUEUE)).as("a queue has places").isFalse();
            return;
        }
        ExclusiveHold held = take(otherKeeper().lock(name));
        Lockkeeper waiting = openBriefKeeper();
        Task<ExclusiveHold> waiter = inThread(() -> waiting.lock(name).acquire());
        awaitQueued(name, 1);
        fixture().losePlaces(lockNamed(name));
        awaitQueued(name, 1);
        assertKept(held);
        held.close();
        try (ExclusiveHold next = waiter.get()) {
            assertThat(next.token()).isGreaterThan(held.token());
        }
        assertNoTrace(name);
    }
}
