package io.lockkeeper.testkit.contract;

import static io.lockkeeper.ReleaseOutcome.NOT_HELD;
import static io.lockkeeper.ReleaseOutcome.RELEASED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import io.lockkeeper.testkit.Peer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Giving a lock back: once, by any thread that has the handle, and never what another holds. */
public abstract class ReleaseContract extends ContractTest {
    /** A lease that does not end before a busy machine has come to the release. */
    private static final Duration UNHURRIED = Duration.ofSeconds(10);

    @Test
    void aReleasedHoldSaysSo() throws Exception {
        ExclusiveHold hold = take(keeper().lock(freshName()));
        long token = hold.token();
        String id = hold.id();
        assertThat(hold.release()).isEqualTo(RELEASED);
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(hold.remaining()).isZero();
        assertThat(hold.token()).isEqualTo(token);
        assertThat(hold.id()).isEqualTo(id);
        assertThat(hold.lost()).isNotDone();
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void releasingAgainReturnsTheFirstOutcomeAndHarmsNobody() throws Exception {
        String name = freshName();
        ExclusiveHold first = take(keeper().lock(name));
        assertThat(first.release()).isEqualTo(RELEASED);
        ExclusiveHold next = take(otherKeeper().lock(name));
        assertThat(first.release()).isEqualTo(RELEASED);
        assertThat(get(first.releaseAsync())).isEqualTo(RELEASED);
        first.close();
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        taken(keeper().lock(name));
        assertThat(next.release()).isEqualTo(RELEASED);
    }

    @Test
    void releasingAgainDoesNotEndTheNextHoldOfTheSameThread() {
        DistributedLock lock = keeper().lock(freshName());
        ExclusiveHold first = take(lock);
        first.close();
        ExclusiveHold second = take(lock);
        first.close();
        assertThat(second.state()).isEqualTo(HoldState.HELD);
        taken(otherKeeper().lock(lock.name()));
        second.close();
    }

    @Test
    void anyThreadMayReleaseAHandle() throws Exception {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name));
        assertThat(inThread(hold::release).get()).isEqualTo(RELEASED);
        take(otherKeeper().lock(name)).close();
    }

    @Test
    void manyThreadsThatReleaseAtOnceReleaseOnce() throws Exception {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name));
        var tasks = IntStream.range(0, 8)
                .mapToObj(i -> this.<ReleaseOutcome>inThread(hold::release))
                .toList();
        for (Task<ReleaseOutcome> task : tasks) {
            assertThat(task.get()).isEqualTo(RELEASED);
        }
        take(otherKeeper().lock(name)).close();
    }

    @Test
    void releasingWithoutBlocking() throws Exception {
        String name = freshName();
        CompletableFuture<ReleaseOutcome> outcome = take(keeper().lock(name)).releaseAsync();
        assertThat(get(outcome)).isEqualTo(RELEASED);
        take(otherKeeper().lock(name)).close();
    }

    @Test
    @AboutTime
    void releasingAfterExpiryFindsNothingHeld() throws Exception {
        ExclusiveHold hold = take(keeper().lock(freshName()).withFixedLease(brief()));
        eventually("it ends by itself", () -> hold.state() == HoldState.LOST);
        assertThat(hold.release()).isEqualTo(NOT_HELD);
        assertThat(get(hold.releaseAsync())).isEqualTo(NOT_HELD);
        hold.close();
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    // ShedLock's and Spring's hole: an expired holder must not release the next one.
    @Test
    @AboutTime
    void releasingAfterAnotherAcquiredItHarmsNobody() throws Exception {
        String name = freshName();
        ExclusiveHold stale = take(keeper().lock(name).withFixedLease(brief()));
        ExclusiveHold next = otherKeeper().lock(name).acquire();
        assertThat(stale.release()).isEqualTo(NOT_HELD);
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        taken(openKeeper().lock(name));
        assertThat(next.release()).isEqualTo(RELEASED);
    }

    @Test
    @AboutTime
    void releasingAfterTheSameKeeperAcquiredItAgainHarmsNobody() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        ExclusiveHold stale = take(lock.withFixedLease(brief()));
        ExclusiveHold next = lock.acquire();
        assertThat(stale.release()).isEqualTo(NOT_HELD);
        assertThat(next.state()).isEqualTo(HoldState.HELD);
        taken(otherKeeper().lock(lock.name()));
        next.close();
    }

    @Test
    void itCountsAsNotHeldFromTheMomentTheReleaseBegins() throws Exception {
        FaultyBackend slow = faulty();
        Lockkeeper mine = openKeeper(slow);
        ExclusiveHold hold = take(mine.lock(freshName()));
        slow.network().hang(Call.RELEASE);
        CompletableFuture<ReleaseOutcome> outcome = hold.releaseAsync();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(hold.remaining()).isZero();
        slow.network().heal();
        get(outcome);
        assertNoTrace(hold.name());
    }

    @Test
    void theOwnKeeperReleasesByIdOnce() {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name));
        assertThat(keeper().release(name, hold.id())).isEqualTo(RELEASED);
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(keeper().release(name, hold.id())).isEqualTo(NOT_HELD);
        assertNoTrace(name);
    }

    @Test
    @AboutTime
    void anOrdinaryHoldIsReleasedByItsOwnKeeperOnly() {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name));
        assertThat(otherKeeper().release(name, hold.id())).isEqualTo(NOT_HELD);
        assertThat(peer(lease()).ask("releaseId " + name + " " + hold.id())).isEqualTo("NOT_HELD");
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        taken(otherKeeper().lock(name));
        assertThat(hold.release()).isEqualTo(RELEASED);
    }

    @Test
    void aForeignIdReleasesNothing() {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name));
        ExclusiveHold elsewhere = take(keeper().lock(freshName()));
        String invented = UUID.randomUUID().toString().replace("-", "");
        assertThat(keeper().release(name, invented)).isEqualTo(NOT_HELD);
        assertThat(otherKeeper().release(name, invented)).isEqualTo(NOT_HELD);
        assertThat(keeper().release(name, elsewhere.id())).isEqualTo(NOT_HELD);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(elsewhere.state()).isEqualTo(HoldState.HELD);
        hold.close();
        elsewhere.close();
    }

    @TestIfOffered(Capability.PORTABLE)
    @AboutTime
    void aPortableHoldIsReleasedByAnyProcessThatKnowsItsId() throws Exception {
        String name = freshName();
        Peer peer = peer(lease());
        ExclusiveHold hold = take(keeper().lock(name).portable().withLease(UNHURRIED));
        assertThat(peer.ask("releaseId " + name + " " + hold.id())).isEqualTo("RELEASED");
        take(otherKeeper().lock(name)).close();
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.RELEASED_ELSEWHERE);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.release()).isEqualTo(NOT_HELD);
    }

    @TestIfOffered(Capability.PORTABLE)
    void aPortableHoldOfAnotherProcessIsReleasedHere() {
        String name = freshName();
        Peer peer = peer(UNHURRIED);
        String id = peer.ask("portable " + name).split(" ")[2];
        assertThat(keeper().release(name, id)).isEqualTo(RELEASED);
        take(keeper().lock(name)).close();
        assertThat(keeper().release(name, id)).isEqualTo(NOT_HELD);
        assertThat(peer.ask("release")).isEqualTo("NOT_HELD");
    }

    @TestIfOffered(Capability.PORTABLE)
    void closingWaitsForAReleaseByIdThatWasNotAnswered() {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name).portable().withLease(UNHURRIED));
        FaultyBackend network = faulty();
        Lockkeeper releasing = openKeeper(network);
        network.network().cut();
        assertThat(releasing.release(name, hold.id())).isEqualTo(ReleaseOutcome.UNKNOWN);
        network.network().heal();
        if (can(Capability.EXPIRES) && !can(Capability.LEASES)) {
            // The client of a session connects again when it likes, which may be later than closing waits.
            eventually("the keeper reaches its store again", () -> reaches(releasing, name));
        }
        releasing.close();
        assertThat(isFree(otherKeeper().lock(name)))
                .as("it is free when the keeper that released it is closed")
                .isTrue();
    }

    private static boolean reaches(Lockkeeper keeper, String name) {
        try {
            keeper.inspect(name);
            return true;
        } catch (StoreUnavailableException notYet) {
            return false;
        }
    }

    // D20, and the commonest complaint about Redisson: what one never held cannot be unlocked.
    @Test
    void unlockingWhatOneNeverHeldFails() throws Exception {
        String name = freshName();
        assertThatThrownBy(() -> keeper().lock(name).unlock()).isInstanceOf(IllegalMonitorStateException.class);
        if (can(Capability.FAIR)) {
            assertThatThrownBy(() -> keeper().fairLock(name).unlock()).isInstanceOf(IllegalMonitorStateException.class);
        }
        DistributedLock lock = keeper().lock(name);
        lock.lock();
        try {
            Task<Integer> other = inThread(() -> {
                lock.unlock();
                return 0;
            });
            assertThat(other.failure()).isInstanceOf(IllegalMonitorStateException.class);
            assertThatThrownBy(() -> otherKeeper().lock(name).unlock())
                    .isInstanceOf(IllegalMonitorStateException.class);
            assertThat(lock.isHeldByCurrentThread()).isTrue();
        } finally {
            lock.unlock();
        }
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }
}
