package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Acquirable;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Hold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.Leased;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.MultiHold;
import io.lockkeeper.MultiLock;
import io.lockkeeper.Overdue;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SegmentedLock;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The views that every lock, semaphore, multi-lock, segmented lock and election has, and the questions that a lock answers about
 * itself. A view changes one setting of what it is made from and nothing else.
 */
public abstract class ViewContract extends PrimitiveContract {
    /** Ends long after every case, so that nothing here ends by it. */
    private static final Duration LONG = Duration.ofMinutes(10);

    /** The store is silent for longer than this in the cases about giving up. */
    private static final Duration SILENCE = Duration.ofMillis(400);

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.lock(name);
    }

    private static MultiLock multi(Lockkeeper keeper, String name) {
        return keeper.multiLock(name + "/a", name + "/b");
    }

    private static SegmentedLock segmented(Lockkeeper keeper, String name) {
        return keeper.segmentedLock(name, 2);
    }

    // ---- a fixed lease ends by itself

    private <H extends Hold, L extends Acquirable<H> & Leased<L>> void endsByItself(Function<Lockkeeper, L> made)
            throws Exception {
        H hold = got(made.apply(keeper()).withFixedLease(lease()).tryAcquire(PATIENCE));
        assertThat(hold.remaining()).isLessThanOrEqualTo(lease());
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(hold.isHeld()).isFalse();
        soonFree(made.apply(otherKeeper()));
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aFixedLeaseOfALockEndsByItself() throws Exception {
        String name = freshName();
        endsByItself(keeper -> keeper.lock(name));
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aFixedLeaseOfAMultiLockEndsByItself() throws Exception {
        String name = freshName();
        endsByItself(keeper -> multi(keeper, name));
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aFixedLeaseOfASegmentedLockEndsByItself() throws Exception {
        String name = freshName();
        endsByItself(keeper -> segmented(keeper, name));
        MultiHold all = got(segmented(keeper(), name).withFixedLease(lease()).tryAcquireAll(PATIENCE));
        assertThat(get(all.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aTermOfFixedLengthEndsByItself() {
        String name = freshName();
        try (LeaderElection election = keeper().leaderElection(name).withFixedLease(lease())) {
            Diary diary = Diary.of(election);
            election.join();
            eventually("it is deposed and elected again", () -> diary.entries.size() >= 3);
            assertThat(diary.entries.subList(0, 3)).containsExactly("elected", "EXPIRED", "elected");
        }
    }

    // ---- a longest hold

    private <H extends Hold, L extends Acquirable<H> & Leased<L>> void isTakenAway(Function<Lockkeeper, L> made)
            throws Exception {
        L lock = made.apply(keeper()).withLease(LONG).withMaxHold(brief(), Overdue.LOSE);
        H hold = got(lock.tryAcquire(PATIENCE));
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.EXPIRED);
        assertThat(hold.isHeld()).isFalse();
        hold.close();
        soonFree(made.apply(otherKeeper()));
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aMultiLockKeptTooLongIsLostAndGivenBack() throws Exception {
        String name = freshName();
        isTakenAway(keeper -> multi(keeper, name));
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aSegmentKeptTooLongIsLostAndGivenBack() throws Exception {
        String name = freshName();
        isTakenAway(keeper -> segmented(keeper, name));
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aLeaderThatLeadsTooLongIsDeposedAndStandsAgain() {
        String name = freshName();
        try (LeaderElection election =
                keeper().leaderElection(name).withLease(LONG).withMaxHold(brief(), Overdue.LOSE)) {
            Diary diary = Diary.of(election);
            election.join();
            eventually("it is deposed and elected again", () -> diary.entries.size() >= 3);
            assertThat(diary.entries.subList(0, 3)).containsExactly("elected", "EXPIRED", "elected");
            assertThat(diary.terms).isSorted().doesNotHaveDuplicates();
        }
    }

    // ---- the lease of a view

    @Test
    void theLeaseOfAViewIsWhatTheStoreKeeps() throws Exception {
        String name = freshName();
        Duration lease = Duration.ofSeconds(20);
        try (LeaderElection election = keeper().leaderElection(name).withLease(lease);
                Hold multi = multi(keeper(), name).withLease(lease).acquire()) {
            election.join();
            leads(election);
            assertThat(multi.remaining()).isPositive();
            for (Resource resource : List.of(Resource.election(name), Resource.lock(name + "/b"))) {
                ResourceState state = keeper().inspect(resource).orElseThrow();
                assertThat(state.isHeld()).isTrue();
                if (can(Capability.EXPIRES)) {
                    assertThat(state.remaining()).isBetween(Duration.ofMillis(1), lease);
                }
            }
        }
    }

    // ---- giving up on a silent store

    private <H extends Hold, L extends Acquirable<H>> void givesUp(FaultyBackend network, L lock) {
        network.network().cut();
        assertThatThrownBy(lock::acquire).isInstanceOf(StoreUnavailableException.class);
        assertThat(failureOf(lock.acquireAsync())).isInstanceOf(StoreUnavailableException.class);
        network.network().heal();
    }

    @Test
    void aMultiLockGivesUpOnASilentStore() {
        FaultyBackend network = faulty();
        String name = freshName();
        MultiLock lock = multi(openKeeper(network), name).giveUpAfter(SILENCE);
        givesUp(network, lock);
        network.network().cut();
        assertThatThrownBy(lock::lock).isInstanceOf(StoreUnavailableException.class);
        network.network().heal();
        soonFree(multi(keeper(), name));
    }

    @Test
    void aSegmentedLockGivesUpOnASilentStore() {
        FaultyBackend network = faulty();
        String name = freshName();
        givesUp(network, segmented(openKeeper(network), name).giveUpAfter(SILENCE));
        soonFree(segmented(keeper(), name));
    }

    /** The candidate keeps standing: it leads when the store is back, without joining again. */
    @Test
    void theWaitForALeadershipGivesUpOnASilentStore() throws Exception {
        FaultyBackend network = faulty();
        String name = freshName();
        try (LeaderElection election = openKeeper(network).leaderElection(name).giveUpAfter(SILENCE)) {
            network.network().cut();
            election.join();
            assertThatThrownBy(election::await).isInstanceOf(StoreUnavailableException.class);
            assertThat(failureOf(election.awaitAsync())).isInstanceOf(StoreUnavailableException.class);
            network.network().heal();
            leads(election);
        }
    }

    // ---- what is refused

    private void refuses(Leased<?> leased) {
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofMillis(99))) {
            assertThatThrownBy(() -> leased.withLease(wrong)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> leased.withFixedLease(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> leased.withMaxHold(Duration.ZERO, Overdue.LOSE))
                .isInstanceOf(IllegalArgumentException.class);
        Duration tooLong = fixture().backend().longestLease().plusSeconds(1);
        assertThatThrownBy(() -> leased.withLease(tooLong)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void allRefuseTheSameDurations() {
        String name = freshName();
        refuses(keeper().lock(name));
        refuses(multi(keeper(), name));
        refuses(segmented(keeper(), name));
        refuses(keeper().leaderElection(name));
        assertThatThrownBy(() -> multi(keeper(), name).giveUpAfter(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> segmented(keeper(), name).giveUpAfter(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> keeper().leaderElection(name).giveUpAfter(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- questions to a lock

    @Test
    void aLockSaysWhetherItIsLockedByAnybody() throws Exception {
        String name = freshName();
        DistributedLock mine = keeper().lock(name);
        DistributedLock theirs = otherKeeper().lock(name);
        assertThat(mine.isLocked()).isFalse();
        assertThat(mine.inspect()).isEmpty();
        try (ExclusiveHold hold = take(mine)) {
            assertThat(hold.isHeld()).isTrue();
            assertThat(mine.isLocked()).isTrue();
            assertThat(theirs.isLocked()).isTrue();
            assertThat(get(theirs.isLockedAsync())).isTrue();
            ResourceState state = theirs.inspect().orElseThrow();
            assertThat(state.grants()).singleElement().satisfies(grant -> {
                if (can(Capability.HOLDERS)) {
                    assertThat(grant.holder().keeper()).isEqualTo(keeper().id());
                }
            });
            assertThat(state.remaining()).isPositive();
            Optional<ResourceState> later = get(theirs.inspectAsync());
            assertThat(later.orElseThrow().isHeld()).isTrue();
            hold.release();
            assertThat(hold.isHeld()).isFalse();
        }
        eventually("it is free", () -> !theirs.isLocked());
        eventually("it is free", () -> !get(theirs.isLockedAsync()));
    }

    @Test
    void aQuestionToASilentStoreFails() {
        FaultyBackend network = faulty();
        DistributedLock lock = openKeeper(network).lock(freshName());
        network.network().cut();
        assertThatThrownBy(lock::isLocked).isInstanceOf(StoreUnavailableException.class);
        assertThat(failureOf(lock.isLockedAsync())).isInstanceOf(StoreUnavailableException.class);
        assertThat(failureOf(lock.inspectAsync())).isInstanceOf(StoreUnavailableException.class);
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    void aLockIsReleasedByForce() throws Exception {
        DistributedLock lock = otherKeeper().lock(freshName());
        assertThat(lock.forceRelease()).isFalse();
        ExclusiveHold hold = take(keeper().lock(lock.name()));
        eventually("it is released by force", lock::forceRelease);
        soonFree(lock);
        hold.close();
        // Kept: a hold that nobody refers to may be released by the garbage collector first.
        ExclusiveHold again = take(keeper().lock(lock.name()));
        eventually("it is released by force", () -> get(lock.forceReleaseAsync()));
        soonFree(lock);
        again.close();
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // What happens between lock and unlock is the matter here.
    void aLockSaysWhichThreadHasIt() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        Thread me = Thread.currentThread();
        assertThat(lock.isHeldByThread(me)).isFalse();
        lock.lock();
        assertThat(lock.isHeldByThread(me)).isTrue();
        Task<@Nullable Boolean> other = inThread(() -> lock.isHeldByThread(Thread.currentThread()));
        assertThat(other.get()).isFalse();
        assertThat(inThread(() -> lock.isHeldByThread(me)).get()).isTrue();
        assertThat(otherKeeper().lock(lock.name()).isHeldByThread(me)).isFalse();
        lock.unlock();
        assertThat(lock.isHeldByThread(me)).isFalse();
    }

    @Test
    void whatIsHeldHasATimeLeftAndWhatIsNotHasNone() {
        ExclusiveHold hold = take(keeper().lock(freshName()));
        assertThat(hold.remaining()).isPositive();
        if (!can(Capability.EXPIRES)) {
            assertThat(hold.remaining()).isEqualTo(Hold.UNLIMITED);
        } else {
            assertThat(hold.remaining()).isLessThan(Hold.UNLIMITED);
        }
        hold.close();
        assertThat(hold.remaining()).isZero();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
    }
}
