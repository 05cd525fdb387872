package io.lockkeeper.line;

import static io.lockkeeper.line.Claims.LEASE;
import static io.lockkeeper.line.Claims.LOCK;
import static io.lockkeeper.line.Claims.SEMAPHORE;
import static io.lockkeeper.line.Claims.claim;
import static io.lockkeeper.line.Claims.exclusive;
import static io.lockkeeper.line.Claims.exclusiveNow;
import static io.lockkeeper.line.Claims.permits;
import static io.lockkeeper.line.Claims.release;
import static io.lockkeeper.line.Claims.shared;
import static io.lockkeeper.line.Claims.sharedNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Family;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release.Outcome;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeasedStoreTest {

    private static final long SECOND = 1_000_000_000L;

    private final LeasedStore store = new LeasedStore("s", TokenPolicy.COUNTER);

    private long granted(String keeper, Claim claim, long now) {
        Answer answer = store.attempt(keeper, claim, now);
        assertThat(answer).isInstanceOf(Answer.Granted.class);
        return ((Answer.Granted) answer).token();
    }

    private Duration waits(String keeper, Claim claim, long now) {
        Answer answer = store.attempt(keeper, claim, now);
        assertThat(answer).isInstanceOf(Answer.Wait.class);
        return ((Answer.Wait) answer).retryIn();
    }

    private List<String> signalled() {
        return store.drainSignals().stream().map(LeasedStore.Signal::keeperId).toList();
    }

    @Test
    void theSameClaimIsGrantedOnceWithTheSameTokens() {
        Claim wantsThree = claim("a1", LOCK, Mode.EXCLUSIVE, LEASE, 3, Queueing.PLAIN);
        assertThat(store.attempt("A", wantsThree, 0)).isEqualTo(new Answer.Granted(1, 3, LEASE));
        Claim wantsTen = claim("a1", LOCK, Mode.EXCLUSIVE, LEASE, 10, Queueing.PLAIN);
        assertThat(store.attempt("A", wantsTen, 20 * SECOND)).isEqualTo(new Answer.Granted(1, 3, LEASE));
        // The full lease was set anew.
        waits("B", exclusiveNow("b1"), 49 * SECOND);
        assertThat(granted("B", exclusiveNow("b2"), 50 * SECOND)).isEqualTo(4);
    }

    @Test
    void aRepeatedPermitClaimIsNotCountedTwice() {
        granted("A", permits("a1", 2, 3), 0);
        granted("A", permits("a1", 2, 3), 1);
        granted("B", permits("b1", 1, 3), 2);
        waits("B", permits("b2", 1, 3), 3);
    }

    @Test
    void aLeaseEndsByTheStoresClockAndIsNotResurrected() {
        Claim first = exclusive("a1");
        granted("A", first, 0);
        waits("B", exclusive("b1"), 30 * SECOND - 1);
        assertThat(store.renew(List.of(first), 30 * SECOND)).containsExactly(new Renewal.Gone(Loss.Reason.EXPIRED));
        granted("B", exclusive("b1"), 30 * SECOND);
        assertThat(store.renew(List.of(first), 31 * SECOND)).containsExactly(new Renewal.Gone(Loss.Reason.TAKEN));
        waits("C", exclusiveNow("c1"), 31 * SECOND);
    }

    @Test
    void aClockThatIsSetBackLetsNoDeadClaimBarTheLock() {
        Claim holder = exclusiveNow("a1");
        granted("A", holder, 600 * SECOND);
        waits("B", exclusive("dead"), 600 * SECOND);
        waits("C", exclusive("c1"), 600 * SECOND);
        store.release("A", release(holder, false), 10 * SECOND);
        waits("C", exclusive("c1"), 12 * SECOND);
        granted("C", exclusive("c1"), 13 * SECOND);
    }

    @Test
    void renewalExtendsAndTellsWhetherOtherKeepersWait() {
        Claim held = exclusive("a1");
        granted("A", held, 0);
        waits("A", exclusive("a2"), 0);
        assertThat(store.renew(List.of(held), 10 * SECOND)).containsExactly(new Renewal.Kept(LEASE, false));
        waits("B", exclusive("b1"), 39 * SECOND);
        assertThat(store.renew(List.of(held), 39 * SECOND)).containsExactly(new Renewal.Kept(LEASE, true));
        assertThat(store.renew(List.of(held), 43 * SECOND))
                .as("B has been silent for too long")
                .containsExactly(new Renewal.Kept(LEASE, false));
    }

    @Test
    void aFixedClaimIsConfirmedAndNotExtended() {
        Claim held = fixed(exclusive("a1"));
        granted("A", held, 0);
        assertThat(store.renew(List.of(held), 10 * SECOND))
                .containsExactly(new Renewal.Kept(LEASE.minusSeconds(10), false));
        assertThat(store.renew(List.of(held), 20 * SECOND))
                .containsExactly(new Renewal.Kept(LEASE.minusSeconds(20), false));
        granted("B", exclusive("b1"), 30 * SECOND);
        assertThat(store.renew(List.of(held), 30 * SECOND)).containsExactly(new Renewal.Gone(Loss.Reason.TAKEN));
    }

    private static Claim fixed(Claim claim) {
        return claim.withFixed(true);
    }

    @Test
    void oneGoneClaimDoesNotHarmTheOthersOfItsBatch() {
        Claim held = exclusive("a1");
        granted("A", held, 0);
        assertThat(store.renew(List.of(exclusive("never"), held), 1))
                .containsExactly(new Renewal.Gone(Loss.Reason.TAKEN), new Renewal.Kept(LEASE, false));
    }

    @Test
    void onlyTheClaimItselfReleases() {
        granted("A", exclusive("a1"), 0);
        assertThat(store.release("B", release(exclusive("b1"), false), 1)).isEqualTo(Outcome.NOT_HELD);
        waits("B", exclusiveNow("b2"), 2);
        assertThat(store.release("A", release(exclusive("a1"), false), 3)).isEqualTo(Outcome.RELEASED);
        assertThat(store.release("A", release(exclusive("a1"), false), 4)).isEqualTo(Outcome.NOT_HELD);
        assertThat(granted("B", exclusiveNow("b3"), 5)).isEqualTo(2);
    }

    @Test
    void aLateRequestOfAReleasedClaimGrantsNothing() {
        // Never seen: the release overtook the attempt.
        assertThat(store.release("A", release(exclusive("a1"), true), 0)).isEqualTo(Outcome.NOT_HELD);
        assertThat(store.attempt("A", exclusive("a1"), 59 * SECOND))
                .isInstanceOfSatisfying(
                        Answer.Refused.class, r -> assertThat(r.cause()).isEqualTo(Answer.Cause.RELEASED));
        // Seen, answered, released, but another copy of the request is still under way.
        granted("A", exclusive("a2"), 59 * SECOND);
        assertThat(store.release("A", release(exclusive("a2"), true), 59 * SECOND))
                .isEqualTo(Outcome.RELEASED);
        assertThat(store.attempt("A", exclusive("a2"), 60 * SECOND)).isInstanceOf(Answer.Refused.class);
        assertThat(store.names()).isEqualTo(1);
        granted("B", exclusive("b1"), 119 * SECOND);
        store.release("B", release(exclusive("b1"), false), 119 * SECOND);
        assertThat(store.names()).as("tombstones are forgotten").isZero();
    }

    @Test
    void aTombstoneLastsAsLongAsALongLease() {
        Claim slow = claim("a1", LOCK, Mode.EXCLUSIVE, Duration.ofMinutes(10), 1, Queueing.PLAIN);
        store.release("A", release(slow, true), 0);
        assertThat(store.attempt("A", slow, 599 * SECOND)).isInstanceOf(Answer.Refused.class);
        granted("A", slow, 600 * SECOND);
    }

    @Test
    void aFreedLockGoesToTheFirstInTheQueueAndItsKeeperIsSignalled() {
        granted("A", exclusive("a1"), 0);
        waits("B", exclusive("b1"), 0);
        waits("C", exclusive("c1"), 0);
        assertThat(signalled()).isEmpty();
        store.release("A", release(exclusive("a1"), false), 1);
        assertThat(signalled()).containsExactly("B");
        waits("C", exclusive("c1"), 2);
        assertThat(signalled())
                .as("the request that notices that it is free signals the head")
                .containsExactly("B");
        waits("D", exclusiveNow("d1"), 2);
        granted("B", exclusive("b1"), 3);
    }

    @Test
    void aNewcomerDoesNotRepeatWhatTheFirstWasTold() {
        granted("A", exclusive("a1"), 0);
        waits("B", exclusive("b1"), 0);
        store.release("A", release(exclusive("a1"), false), 1);
        assertThat(signalled()).containsExactly("B");

        waits("A", exclusive("a2"), 2);
        waits("D", exclusiveNow("d1"), 2);
        assertThat(signalled()).isEmpty();

        waits("A", exclusive("a2"), 3);
        assertThat(signalled()).as("a claim that asks again does").containsExactly("B");
    }

    @Test
    void aNewcomerTellsTheFirstIfNobodyDid() {
        granted("A", exclusive("a1"), 0);
        waits("B", exclusive("b1"), 0);
        store.loseGrants();

        waits("C", exclusive("c1"), 1);
        assertThat(signalled()).containsExactly("B");
        waits("D", exclusive("d1"), 1);
        assertThat(signalled()).isEmpty();

        store.release("B", release(exclusive("b1"), false), 2);
        assertThat(signalled()).as("the next in line").containsExactly("C");
    }

    @Test
    void whatTheFirstWasToldCountsUntilSomebodyHasIt() {
        waiterPassesASilentOne();
        waits("B", exclusive("b1"), 4 * SECOND);
        store.loseGrants();
        signalled();

        waits("D", exclusive("d1"), 4 * SECOND);
        assertThat(signalled()).containsExactly("B");
    }

    /** C has it at 3 s, B is silent: passed over for this turn, not deleted. */
    private void waiterPassesASilentOne() {
        granted("A", exclusive("a1"), 0);
        waits("B", exclusive("b1"), 0);
        waits("C", exclusive("c1"), 0);
        store.release("A", release(exclusive("a1"), false), 2 * SECOND);
        waits("C", exclusive("c1"), 2 * SECOND);
        granted("C", exclusive("c1"), 3 * SECOND);
    }

    @Test
    void aClaimKeepsItsPlaceUntilItsOwnAttemptIsGranted() {
        waiterPassesASilentOne();
        waits("D", exclusive("d1"), 3 * SECOND);
        waits("B", exclusive("b1"), 4 * SECOND);
        store.release("C", release(exclusive("c1"), false), 4 * SECOND);
        assertThat(signalled()).containsExactly("B");
        waits("D", exclusive("d1"), 4 * SECOND);
        granted("B", exclusive("b1"), 4 * SECOND);
    }

    @Test
    void aHolderThatDiesIsFollowedByTheHeadAndNotByTheFirstToPoll() {
        granted("A", exclusive("a1"), 0);
        waits("B", exclusive("b1"), 29 * SECOND);
        waits("C", exclusive("c1"), 29 * SECOND);
        waits("C", exclusive("c1"), 30 * SECOND);
        assertThat(signalled()).containsExactly("B");
        granted("B", exclusive("b1"), 30 * SECOND);
    }

    @Test
    void onePollStampsTheClaimAndThoseOfItsKeeperBehindIt() {
        granted("A", exclusive("a1"), 0);
        waits("B", exclusive("b1"), 0);
        waits("B", exclusive("b2"), 0);
        waits("C", exclusive("c1"), 0);
        waits("B", exclusive("b1"), 2 * SECOND);
        waits("C", exclusive("c1"), 4 * SECOND);
        store.release("A", release(exclusive("a1"), false), 4 * SECOND);
        granted("B", exclusive("b1"), 4 * SECOND);
        store.release("B", release(exclusive("b1"), false), 4 * SECOND);
        waits("C", exclusive("c1"), 4 * SECOND);
        granted("B", exclusive("b2"), 4 * SECOND);
    }

    @Test
    void aClaimThatItsKeeperForgotIsNotKeptAliveByItsOtherClaims() {
        granted("A", exclusive("a1"), 0);
        waits("B", exclusive("forgotten"), 0);
        waits("B", exclusive("b2"), SECOND);
        store.release("A", release(exclusive("a1"), false), SECOND);
        store.drainSignals();
        waits("B", exclusive("b2"), 2 * SECOND);
        assertThat(signalled()).as("B asks already").isEmpty();
        granted("B", exclusive("b2"), 3 * SECOND);
    }

    @Test
    void aKeeperSilentForAMinuteLosesItsPlace() {
        granted("A", claim("a1", LOCK, Mode.EXCLUSIVE, Duration.ofHours(1), 1, Queueing.PLAIN), 0);
        waits("B", exclusive("b1"), 0);
        waits("C", exclusive("c1"), 61 * SECOND);
        waits("B", exclusive("b1"), 61 * SECOND);
        store.release("A", release(exclusive("a1"), false), 62 * SECOND);
        assertThat(signalled()).containsExactly("C");
    }

    @Test
    void readersShareAndAWriterIsNotStarved() {
        granted("A", shared("a1"), 0);
        granted("B", shared("b1"), 0);
        waits("C", exclusive("c1"), 0);
        waits("D", shared("d1"), 0);
        waits("E", sharedNow("e1"), 0);
        waits("A", shared("a2"), 0);
        store.release("A", release(shared("a1"), false), 1);
        assertThat(signalled()).isEmpty();
        store.release("B", release(shared("b1"), false), 2);
        assertThat(signalled()).containsExactly("C");
        granted("C", exclusive("c1"), 3);
        store.release("C", release(exclusive("c1"), false), 4);
        assertThat(signalled()).containsExactly("D", "A");
        granted("A", shared("a2"), 5);
        granted("D", shared("d1"), 5);
    }

    @Test
    void aWriterThatGivesUpLetsTheReadersBehindItIn() {
        granted("A", shared("a1"), 0);
        waits("B", exclusive("b1"), 0);
        waits("C", shared("c1"), 0);
        assertThat(store.release("B", release(exclusive("b1"), false), 1)).isEqualTo(Outcome.NOT_HELD);
        assertThat(signalled()).containsExactly("C");
        granted("C", shared("c1"), 2);
    }

    @Test
    void aTryNeitherQueuesNorOvertakes() {
        granted("A", exclusive("a1"), 0);
        waits("B", exclusiveNow("b1"), 0);
        assertThat(store.inspect(LOCK, 0).orElseThrow().waiting()).isZero();
        waits("C", exclusive("c1"), 0);
        store.release("A", release(exclusive("a1"), false), 1);
        waits("B", exclusiveNow("b2"), 2);
        granted("C", exclusive("c1"), 3);
    }

    @Test
    void permitsKeepStrictOrderSoThatALargeClaimIsNotStarved() {
        granted("A", permits("a1", 2, 3), 0);
        waits("B", permits("b1", 3, 3), 0);
        waits("C", permits("c1", 1, 3), 0);
        store.release("A", release(permits("a1", 2, 3), false), 1);
        assertThat(signalled()).containsExactly("B");
        waits("C", permits("c1", 1, 3), 2);
        granted("B", permits("b1", 3, 3), 3);
    }

    @Test
    void anotherSizeIsRefusedWithBothNumbersUntilItIsResized() {
        granted("A", permits("a1", 1, 3), 0);
        assertThat(store.attempt("B", permits("b1", 1, 5), 0)).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
            assertThat(refused.cause()).isEqualTo(Answer.Cause.FINAL);
            assertThat(refused.message()).contains("3", "5", "resize");
        });
        store.resize(SEMAPHORE, 5, 1);
        granted("B", permits("b1", 4, 5), 1);
        assertThat(store.inspect(SEMAPHORE, 1).orElseThrow().permits()).isEqualTo(5);
        assertThat(store.attempt("C", permits("c1", 6, 5), 1)).isInstanceOf(Answer.Refused.class);
        assertThatThrownBy(() -> store.resize(SEMAPHORE, 0, 1)).hasMessageContaining("at least 1");
    }

    @Test
    void growingWakesAndShrinkingTakesNothingAway() {
        granted("A", permits("a1", 2, 2), 0);
        waits("B", permits("b1", 1, 2), 0);
        store.resize(SEMAPHORE, 3, 1);
        assertThat(signalled()).containsExactly("B");
        granted("B", permits("b1", 1, 3), 2);
        store.resize(SEMAPHORE, 1, 3);
        assertThat(store.renew(List.of(permits("a1", 2, 2), permits("b1", 1, 3)), 4))
                .hasOnlyElementsOfType(Renewal.Kept.class);
        waits("C", permits("c1", 1, 1), 5);
    }

    @Test
    void aSizeIsKeptForADaySinceItsLastUse() {
        granted("A", permits("a1", 1, 3), 0);
        store.release("A", release(permits("a1", 1, 3), false), 1);
        assertThat(store.attempt("A", permits("a2", 1, 4), 86_000 * SECOND)).isInstanceOf(Answer.Refused.class);
        granted("A", exclusive("x"), 2 * 86_400 * SECOND);
        granted("A", permits("a3", 1, 4), 2 * 86_400 * SECOND);
    }

    @Test
    void aSizeThatWasSetIsKeptUntilItIsCleared() {
        assertThat(store.trySetSize(SEMAPHORE, "operation", 3, 0)).isTrue();
        for (int day = 1; day < 400; day++) {
            String id = "x" + day;
            granted("A", exclusive(id), day * 86_400 * SECOND);
            store.release("A", release(exclusive(id), false), day * 86_400 * SECOND + 1);
        }
        assertThat(store.size(SEMAPHORE)).isEqualTo(3);
        granted("A", permits("a1", 3, 0), 400 * 86_400 * SECOND);
        store.clearSize(SEMAPHORE);
        assertThat(store.size(SEMAPHORE)).isZero();
    }

    @Test
    void anOperationOnTheSizeCountsOnceAmongManyOthers() {
        store.trySetSize(SEMAPHORE, "first", 3, 0);
        store.addSize(SEMAPHORE, "mine", 5, 0, 1);
        for (int i = 0; i < 49; i++) {
            store.addSize(SEMAPHORE, "other" + i, 1, 0, 2);
        }
        assertThat(store.addSize(SEMAPHORE, "mine", 5, 0, 3)).isEqualTo(57);
        assertThat(store.trySetSize(SEMAPHORE, "first", 3, 4)).isTrue();
        assertThat(store.size(SEMAPHORE)).isEqualTo(57);
    }

    @Test
    void aClaimForMorePermitsThanThereAreIsPassedAndServedFirstWhenTheyCome() {
        store.setSize(SEMAPHORE, 2, 0);
        waits("A", permits("many", 3, 0), 1);
        granted("B", permits("b1", 1, 0), 2);
        granted("C", permits("c1", 1, 2), 3);
        waits("D", permits("d1", 1, 0), 4);
        signalled();
        store.release("B", release(permits("b1", 1, 0), false), 5);
        assertThat(signalled()).containsExactly("D");
        assertThat(store.addSize(SEMAPHORE, "more", 2, 0, 6)).isEqualTo(4);
        assertThat(signalled()).containsExactly("A");
        waits("D", permits("d1", 1, 0), 7);
        granted("A", permits("many", 3, 0), 8);
        waits("D", permits("d1", 1, 0), 9);
    }

    @Test
    void narrowingKeepsTokenAndLeaseAndLetsReadersIn() {
        Claim writer = exclusive("a1");
        long token = granted("A", writer, 0);
        waits("B", shared("b1"), 0);
        waits("C", exclusive("c1"), 0);
        assertThat(store.narrow(writer, Mode.SHARED, 1)).isTrue();
        assertThat(store.narrow(writer, Mode.SHARED, 1)).isTrue();
        assertThat(signalled()).containsExactly("B");
        granted("B", shared("b1"), 2);
        assertThat(store.inspect(LOCK, SECOND).orElseThrow().grants().get(0))
                .satisfies(grant -> assertThat(grant.token()).isEqualTo(token))
                .satisfies(grant -> assertThat(grant.shared()).isTrue())
                .satisfies(grant -> assertThat(grant.remaining()).isEqualTo(Duration.ofSeconds(29)));
        assertThat(store.narrow(exclusive("other"), Mode.SHARED, 3)).isFalse();
    }

    @Test
    void permitsGetFewerAndNeverMore() {
        Claim three = permits("a1", 3, 3);
        granted("A", three, 0);
        waits("B", permits("b1", 2, 3), 0);
        assertThat(store.narrow(three, Mode.permits(2, 3), 1)).isTrue();
        assertThat(signalled()).isEmpty();
        assertThat(store.narrow(three, Mode.permits(1, 3), 1)).isTrue();
        assertThat(signalled()).containsExactly("B");
        assertThat(store.narrow(three, Mode.permits(2, 3), 1)).isTrue();
        granted("B", permits("b1", 2, 3), 1);
    }

    @Test
    void forceReleaseTellsTheHolderAndTheNext() {
        Claim held = exclusive("a1");
        granted("A", held, 0);
        waits("B", exclusive("b1"), 0);
        assertThat(store.forceRelease(LOCK, 1)).isTrue();
        assertThat(signalled()).containsExactly("A", "B");
        assertThat(store.forceRelease(LOCK, 1)).isFalse();
        assertThat(store.renew(List.of(held), 1)).containsExactly(new Renewal.Gone(Loss.Reason.FORCED));
        granted("B", exclusive("b1"), 2);
        assertThat(store.renew(List.of(held), 3)).containsExactly(new Renewal.Gone(Loss.Reason.FORCED));
    }

    @Test
    void aReleaseByAnotherKeeperTellsTheOwner() {
        granted("A", exclusive("a1"), 0);
        assertThat(store.release("B", release(exclusive("a1"), false), 1)).isEqualTo(Outcome.RELEASED);
        assertThat(signalled()).containsExactly("A");
    }

    @Test
    void aWaitNamesTheNextMomentThatMatters() {
        granted("A", exclusive("a1"), 0);
        assertThat(waits("B", exclusive("b1"), SECOND)).isEqualTo(Duration.ofSeconds(1));
        assertThat(waits("B", exclusive("b1"), 30 * SECOND - 7_000_000)).isEqualTo(Duration.ofMillis(7));
        assertThat(waits("B", exclusive("b1"), 30 * SECOND - 7)).isEqualTo(Duration.ofMillis(1));
        // Free, but B is before C, and silent from now on.
        assertThat(waits("C", exclusive("c1"), 32 * SECOND))
                .isEqualTo(Duration.ofSeconds(1).minusNanos(7));
    }

    @Test
    void inspectAndListShowWhatIsThere() {
        assertThat(store.inspect(LOCK, 0)).isEmpty();
        granted("A", exclusive("a1"), 0);
        waits("B", exclusive("b1"), 0);
        granted("A", permits("a2", 2, 3), 0);
        Resource other = new Resource(Family.LOCK, "other");
        granted("A", claim("a3", other, Mode.SHARED, LEASE, 1, Queueing.NEVER), 0);
        assertThat(store.list("o", 1)).extracting(state -> state.resource()).containsExactly(LOCK, other);
        assertThat(store.list("", 1)).hasSize(3);
        assertThat(store.list("", 1).get(0).waiting()).isEqualTo(1);
        assertThat(store.inspect(SEMAPHORE, 1).orElseThrow().grants().get(0).permits())
                .isEqualTo(2);
        assertThat(store.list("", 31 * SECOND)).isEmpty();
        assertThat(store.inspect(LOCK, 31 * SECOND)).isEmpty();
    }

    @Test
    void tokensGoUpOverAllNamesAndModes() {
        long a = granted("A", shared("a1"), 0);
        long b = granted("B", shared("b1"), 0);
        long c = granted("C", permits("c1", 1, 2), 0);
        long d = granted("D", claim("d", new Resource(Family.LOCK, "x"), Mode.EXCLUSIVE, LEASE, 5, Queueing.NEVER), 0);
        long e = granted("E", permits("e1", 1, 2), 0);
        assertThat(List.of(a, b, c, d, e)).containsExactly(1L, 2L, 3L, 4L, 9L);
    }

    @Test
    void hybridTokensGrowEvenIfTheCounterIsLost() {
        LeasedStore hybrid = new LeasedStore("s", TokenPolicy.HYBRID_CLOCK);
        Claim block = claim("a1", LOCK, Mode.EXCLUSIVE, LEASE, 64, Queueing.PLAIN);
        assertThat(hybrid.attempt("A", block, 5_000_000)).isEqualTo(new Answer.Granted(5_000, 64, LEASE));
        hybrid.release("A", release(block, false), 5_010_000);
        // The clock has not caught up with the last block: one at a time.
        Claim next = claim("a2", LOCK, Mode.EXCLUSIVE, LEASE, 64, Queueing.PLAIN);
        assertThat(hybrid.attempt("A", next, 5_020_000)).isEqualTo(new Answer.Granted(5_064, 1, LEASE));
        LeasedStore empty = new LeasedStore("s", TokenPolicy.HYBRID_CLOCK);
        assertThat(empty.attempt("A", next, 6_000_000)).isEqualTo(new Answer.Granted(6_000, 64, LEASE));
    }

    @Test
    void aMillionNamesLeaveNothing() {
        for (int i = 0; i < 1_000_000; i++) {
            Resource name = new Resource(Family.LOCK, "name" + i);
            Claim one = claim("c" + i, name, Mode.EXCLUSIVE, LEASE, 1, Queueing.PLAIN);
            store.attempt("A", one, i);
            store.release("A", release(one, false), i);
        }
        assertThat(store.names()).isZero();
    }

    @Test
    void abandonedNamesAreSweptAway() {
        int most = 0;
        for (int i = 0; i < 200_000; i++) {
            Resource name = new Resource(Family.LOCK, "name" + i);
            long now = i * 10_000_000L;
            Claim one = claim("c" + i, name, Mode.EXCLUSIVE, LEASE, 1, Queueing.PLAIN);
            if (i % 2 == 0) {
                store.attempt("A", one, now);
            } else {
                store.release("A", release(one, true), now);
            }
            most = Math.max(most, store.names());
        }
        // 100 names a second: 50 leases of 30 s and 50 tombstones of 60 s, found within one round of the sweep.
        assertThat(most).isLessThan(3 * 4_500);
    }

    @Test
    void lostGrantsAreGoneAndTokensStillGoUp() {
        Claim held = exclusive("a1");
        long before = granted("A", held, 0);
        store.loseGrants();
        assertThat(store.renew(List.of(held), 1)).containsExactly(new Renewal.Gone(Loss.Reason.TAKEN));
        assertThat(granted("B", exclusive("b1"), 2)).isGreaterThan(before);
    }

    @Test
    void aCopyGoesItsOwnWay() {
        granted("A", exclusive("a1"), 0);
        waits("B", exclusive("b1"), 0);
        LeasedStore replica = store.copy();
        store.release("A", release(exclusive("a1"), false), 1);
        granted("B", exclusive("b1"), 1);
        assertThat(replica.attempt("B", exclusive("b1"), 2)).isInstanceOf(Answer.Wait.class);
        replica.release("A", release(exclusive("a1"), false), 3);
        assertThat(replica.drainSignals()).containsExactly(new LeasedStore.Signal("B", LOCK));
        assertThat(replica.attempt("C", exclusive("c1"), 3)).isInstanceOf(Answer.Wait.class);
        assertThat(replica.attempt("B", exclusive("b1"), 4)).isEqualTo(new Answer.Granted(2, 1, LEASE));
    }
}
