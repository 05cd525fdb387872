package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Acquirable;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Hold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Loss;
import io.lockkeeper.Permit;
import io.lockkeeper.Registration;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * Holds that end by themselves, and handles that are dropped: a fixed lease lasts as long as it was asked for whatever the
 * collector does, its holder is told of a loss before that, and a program that still listens keeps a renewed hold.
 */
public abstract class FixedLeaseContract extends ContractTest {
    /** So long that no grant is confirmed by the rhythm of the lease while a case runs. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private void collect() {
        for (int i = 0; i < 5; i++) {
            Garbage.collect();
            letPass(Duration.ofMillis(30));
        }
    }

    /** The lease of a hold of whose loss the keeper is to be told: by a signal where the store has them, else when it asks. */
    private Duration told() {
        return can(Capability.SIGNALS) ? LONG : PATIENCE;
    }

    // In methods of their own, so that no reference stays on the stack.

    private static void drop(DistributedLock lock) {
        assertThat(held(lock.tryAcquire()).state()).isEqualTo(HoldState.HELD);
    }

    private static CompletableFuture<Loss> keepOnlyTheFuture(Acquirable<? extends Hold> lock)
            throws InterruptedException {
        return lock.acquire().lost();
    }

    private static CompletableFuture<Loss> keepOnlyWhatIsComposedWithIt(DistributedLock lock) {
        return lock.acquireAsync().thenCompose(Hold::lost);
    }

    private static Registration keepOnlyTheRegistration(DistributedLock lock, List<Loss> losses)
            throws InterruptedException {
        return lock.acquire().onLost(losses::add);
    }

    private static void keepNothing(DistributedLock lock, CompletableFuture<Loss> told) throws InterruptedException {
        lock.acquire().onLost(told::complete);
    }

    private static void keepOnlyWhatDependsOnIt(DistributedLock lock, CompletableFuture<Loss> told)
            throws InterruptedException {
        lock.acquire().lost().thenAccept(told::complete);
    }

    @Test
    void aFixedLeaseWhoseHandleIsDroppedLastsAndIsNotReported() throws Exception {
        String name = freshName();
        try (Logs logs = Logs.read()) {
            drop(keeper().lock(name).withFixedLease(A_MINUTE));
            collect();
            taken(otherKeeper().lock(name));
            taken(keeper().lock(name));
            assertThat(logs.warnOf(name)).isFalse();
        }
    }

    @TestIfOffered(Capability.PERMITS)
    void aFixedPermitWhoseHandleIsDroppedLasts() throws Exception {
        String name = freshName();
        dropPermit(name);
        collect();
        taken(otherKeeper().semaphore(name, 1));
    }

    private void dropPermit(String name) {
        Permit permit = keeper().semaphore(name, 1).withFixedLease(A_MINUTE).tryAcquire();
        assertThat(held(permit).state()).isEqualTo(HoldState.HELD);
    }

    // At most once per lease in the whole cluster: taken and never given back.
    @Test
    @AboutTime
    void takenAndNeverGivenBackItIsFreeAgainAfterItsTime() throws Exception {
        String name = freshName();
        Duration often = lease();
        long begun = clocks().now().mono();
        drop(keeper().lock(name).withFixedLease(often));
        eventually("it is free again", () -> {
            Garbage.collect();
            return otherKeeper().lock(name).withFixedLease(often).tryLock();
        });
        assertThat(Duration.ofNanos(clocks().now().mono() - begun))
                .isGreaterThan(often.multipliedBy(9).dividedBy(10));
        eventually(
                "and again, on the same thread",
                () -> otherKeeper().lock(name).withFixedLease(often).tryLock());
    }

    @TestIfOffered(Capability.FORCE_RELEASE)
    void aFixedHoldIsToldOfAForcedRelease() throws Exception {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name).withFixedLease(told()));
        eventually("it is released by force", () -> otherKeeper().forceRelease(name));
        assertThat(get(hold.lost()).reason()).isIn(Loss.Reason.FORCED, Loss.Reason.TAKEN);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @TestIfOffered(Capability.PORTABLE)
    void aFixedHoldIsToldThatItWasReleasedElsewhere() throws Exception {
        String name = freshName();
        ExclusiveHold hold = take(keeper().lock(name).withFixedLease(told()).portable());
        assertThat(otherKeeper().release(name, hold.id())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(get(hold.lost()).reason()).isEqualTo(Loss.Reason.RELEASED_ELSEWHERE);
    }

    @Test
    void aFixedHoldLearnsThatItsGrantIsGone() throws Exception {
        String name = freshName();
        if (!can(Fault.LOSE_GRANTS)) {
            return;
        }
        // Nothing is signalled: it is noticed when the keeper asks, every third of the lease.
        Duration lease = PATIENCE;
        ExclusiveHold hold = take(keeper().lock(name).withFixedLease(lease));
        lose(name);
        assertThat(get(hold.lost()).reason()).isNotEqualTo(Loss.Reason.FORCED);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void theFutureOfALossKeepsTheHold() throws Exception {
        String name = freshName();
        CompletableFuture<Loss> lost = keepOnlyTheFuture(keeper().lock(name));
        collect();
        taken(otherKeeper().lock(name));
        assertThat(lost).isNotDone();
    }

    @Test
    void whateverDependsOnThatFutureKeepsTheHold() throws Exception {
        String name = freshName();
        CompletableFuture<Loss> told = new CompletableFuture<>();
        keepOnlyWhatDependsOnIt(keeper().lock(name), told);
        collect();
        taken(otherKeeper().lock(name));
        assertThat(told).isNotDone();
    }

    @Test
    void soDoesAFutureThatWaitsForIt() throws Exception {
        String name = freshName();
        CompletableFuture<Loss> composed = keepOnlyWhatIsComposedWithIt(keeper().lock(name));
        eventually("it is taken", () -> !isFree(otherKeeper().lock(name)));
        collect();
        taken(otherKeeper().lock(name));
        assertThat(composed).isNotDone();
    }

    @Test
    void theFutureOfALossOfSeveralKeepsThemAllUntilItIsDropped() throws Exception {
        String name = freshName();
        List<CompletableFuture<Loss>> lost = new ArrayList<>();
        lost.add(keepOnlyTheFuture(keeper().multiLock(name + "/a", name + "/b")));
        collect();
        taken(otherKeeper().lock(name + "/a"));
        taken(otherKeeper().lock(name + "/b"));
        assertThat(lost.get(0)).isNotDone();
        lost.clear();
        for (String part : List.of("/a", "/b")) {
            eventually("free once it is forgotten", () -> {
                Garbage.collect();
                return isFree(otherKeeper().lock(name + part));
            });
        }
    }

    @Test
    void aRegistrationKeepsTheHold() throws Exception {
        String name = freshName();
        List<Loss> losses = new CopyOnWriteArrayList<>();
        Registration registration = keepOnlyTheRegistration(keeper().lock(name), losses);
        collect();
        taken(otherKeeper().lock(name));
        assertThat(losses).isEmpty();
        registration.close();
        eventually("free once it is forgotten", () -> {
            Garbage.collect();
            return isFree(otherKeeper().lock(name));
        });
    }

    @Test
    void aForgottenHoldThatIsReleasedTellsItsListeners() throws Exception {
        String name = freshName();
        CompletableFuture<Loss> told = new CompletableFuture<>();
        keepNothing(keeper().lock(name), told);
        eventually("its listener is told", () -> {
            Garbage.collect();
            return told.isDone();
        });
        assertThat(get(told).reason()).isEqualTo(Loss.Reason.FORGOTTEN);
        eventually("it is free", () -> isFree(otherKeeper().lock(name)));
    }
}
