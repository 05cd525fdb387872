package io.lockkeeper.quorum;

import static io.lockkeeper.quorum.Claims.LEASE;
import static io.lockkeeper.quorum.Claims.LIMIT;
import static io.lockkeeper.quorum.Claims.LOCK;
import static io.lockkeeper.quorum.Claims.exclusive;
import static io.lockkeeper.quorum.Claims.release;
import static io.lockkeeper.quorum.Claims.releaseUnanswered;
import static io.lockkeeper.quorum.Claims.shared;
import static io.lockkeeper.quorum.Steps.eventually;
import static io.lockkeeper.quorum.Steps.freeOn;
import static io.lockkeeper.quorum.Steps.granted;
import static io.lockkeeper.quorum.Steps.holdOnAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.FaultyMember.Fault;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The quorum over stores in memory, with clocks that tests move and members that fail. */
class QuorumStoreTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    @Test
    void twoKeepersExcludeEachOtherUntilRelease() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore one = cluster.open("one");
            QuorumStore two = cluster.open("two");
            Claim mine = exclusive();
            Answer.Granted granted = granted(one.attempt(mine));
            assertThat(granted.validity()).isEqualTo(LEASE.minusMillis(100).minusMillis(2));
            assertThat(two.attempt(exclusive())).isInstanceOf(Answer.Wait.class);
            assertThat(one.release(release(mine))).isEqualTo(Release.Outcome.RELEASED);
            assertThat(granted(two.attempt(exclusive())).token()).isGreaterThan(granted.token());
        }
    }

    @Test
    void sameClaimAskedAgainKeepsItsToken() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            long token = granted(store.attempt(claim)).token();
            cluster.advance(LEASE.dividedBy(2));
            assertThat(granted(store.attempt(claim)).token()).isEqualTo(token);
            cluster.advance(LEASE.dividedBy(2));
            assertThat(cluster.open("two").attempt(exclusive())).isInstanceOf(Answer.Wait.class);
        }
    }

    /** It may have to load a client library and to shake hands, which a limit far below a lease does not allow for. */
    @Test
    void aMemberHasMoreTimeToBeOpenedThanToAnswer() {
        try (Cluster cluster = new Cluster(3, builder -> builder.nodeTimeout(Duration.ofMillis(50)))) {
            cluster.open("a");
            assertThat(cluster.members).allSatisfy(member -> {
                assertThat(member.limitAtOpening).isEqualTo(Duration.ofSeconds(1));
                assertThat(member.opener.commandTimeout()).isEqualTo(Duration.ofMillis(50));
            });
        }
    }

    @Test
    void minorityDownHurtsNothing() {
        try (Cluster cluster = new Cluster(5)) {
            cluster.members.get(1).fail(Fault.DOWN);
            cluster.members.get(3).fail(Fault.DOWN);
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            granted(store.attempt(claim));
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
            assertThat(cluster.open("two").attempt(exclusive())).isInstanceOf(Answer.Wait.class);
            assertThat(store.release(release(claim))).isEqualTo(Release.Outcome.RELEASED);
        }
    }

    @Test
    void majorityDownFailsWithEachMembersErrorAndLeavesNothing() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            cluster.members.get(0).fail(Fault.DOWN);
            cluster.members.get(2).fail(Fault.DOWN);
            assertThatThrownBy(() -> store.attempt(exclusive()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("member 1 of 3: down")
                    .hasMessageContaining("member 3 of 3: down")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
            assertThat(freeOn(cluster, 1)).isTrue();
            assertThat(store.claims()).isZero();
        }
    }

    @Test
    void hangingMinorityDoesNotHoldUpGrantRenewalOrRelease() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            cluster.members.get(2).fail(Fault.HANGS);
            Claim claim = exclusive();
            granted(store.attempt(claim));
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
            assertThat(store.release(release(claim))).isEqualTo(Release.Outcome.RELEASED);
        }
    }

    @Test
    void hangingMemberKeepsABoundedNumberOfThreads() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            FaultyMember hung = cluster.members.get(2);
            hung.fail(Fault.HANGS);
            for (int i = 0; i < 100; i++) {
                Claim claim = exclusive();
                granted(store.attempt(claim));
                store.renew(List.of(claim), LIMIT);
                store.release(release(claim));
            }
            // 16 requests, one renewal, one repair.
            eventually(() -> hung.hanging.get() >= 1);
            assertThat(hung.hanging.get()).isLessThanOrEqualTo(18);
            hung.heal();
            eventually(() -> hung.hanging.get() == 0);
        }
    }

    @Test
    void failedAttemptIsReleasedOnMembersWhoseReplyWasLost() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            cluster.members.get(0).fail(Fault.REPLY_LOST, "attempt");
            cluster.members.get(1).fail(Fault.REPLY_LOST, "attempt");
            assertThatThrownBy(() -> store.attempt(exclusive())).isInstanceOf(StoreUnavailableException.class);
            cluster.members.forEach(FaultyMember::heal);
            granted(cluster.open("two").attempt(exclusive()));
        }
    }

    @Test
    void attemptThatIsExecutedAfterItsReleaseGrantsNothing() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            cluster.members.get(0).fail(Fault.HANGS, "attempt");
            cluster.members.get(1).fail(Fault.HANGS, "attempt");
            assertThatThrownBy(() -> store.attempt(exclusive())).isInstanceOf(StoreUnavailableException.class);
            cluster.members.forEach(FaultyMember::heal);
            eventually(() -> cluster.members.get(0).hanging.get()
                            + cluster.members.get(1).hanging.get()
                    == 0);
            QuorumStore two = cluster.open("two");
            // The late attempts have come to an end: all three members are free.
            Claim claim = exclusive();
            eventually(() -> two.attempt(claim) instanceof Answer.Granted);
            assertThat(cluster.members)
                    .allSatisfy(member -> assertThat(member.calls).contains("release"));
        }
    }

    @Test
    void unconfirmedReleaseIsSentAgainWhenTheMemberIsBack() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            FaultyMember member = cluster.members.get(0);
            Claim claim = exclusive();
            granted(store.attempt(claim));
            holdOnAll(store, claim);
            member.fail(Fault.DOWN);
            assertThat(store.release(release(claim))).isEqualTo(Release.Outcome.RELEASED);
            // A majority has heard of it; this member must have failed before it is back.
            eventually(store::isQuiet);
            member.heal();
            assertThat(member.memory.names()).isEqualTo(1);
            eventually(() -> {
                // Anything that the member answers reminds it.
                store.inspect(LOCK);
                return freeOn(cluster, 0);
            });
        }
    }

    @Test
    void releaseIsUnknownWithoutAMajorityAndIsFinishedLater() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            granted(store.attempt(claim));
            holdOnAll(store, claim);
            cluster.members.get(0).fail(Fault.DOWN);
            cluster.members.get(1).fail(Fault.DOWN);
            assertThatThrownBy(() -> store.release(release(claim)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("member 1 of 3");
            cluster.members.forEach(FaultyMember::heal);
            assertThat(store.release(releaseUnanswered(claim))).isEqualTo(Release.Outcome.RELEASED);
            assertThat(store.release(release(claim))).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(store.claims()).isZero();
        }
    }

    @Test
    void releasedIdIsRefusedForALateAttempt() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            assertThat(store.release(releaseUnanswered(claim))).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(store.attempt(claim))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.cause()).isEqualTo(Answer.Cause.RELEASED));
        }
    }

    @Test
    void tokensGoUpThroughAnyLossOfAMinority() {
        try (Cluster cluster = new Cluster(5)) {
            QuorumStore store = cluster.open("one");
            // One member is far ahead of the others, then it is never heard of again.
            for (int i = 0; i < 50; i++) {
                Claim ahead = exclusive();
                var own = cluster.members.get(4).memory.open(new ProbeKeeper(cluster.clocks));
                own.attempt(ahead);
                own.release(release(ahead));
            }
            long last = 0;
            for (int round = 0; round < 30; round++) {
                FaultyMember a = cluster.members.get(round % 5);
                FaultyMember b = cluster.members.get((round + 2) % 5);
                a.fail(Fault.DOWN);
                b.fail(round % 2 == 0 ? Fault.REPLY_LOST : Fault.DOWN);
                Claim claim = exclusive();
                eventually(() -> store.attempt(claim) instanceof Answer.Granted);
                long token = granted(store.attempt(claim)).token();
                assertThat(token).isGreaterThan(last);
                last = token;
                store.release(release(claim));
                a.heal();
                b.heal();
                // Leases of what the lost replies left behind end.
                cluster.advance(LEASE);
            }
        }
    }

    @Test
    void elapsedTimeCountsByTheClockThatWentFurther() {
        // Members may hang for as long as the thread that heals them needs.
        try (Cluster cluster = new Cluster(3, builder -> builder.nodeTimeout(Duration.ofSeconds(30)))) {
            QuorumStore store = cluster.open("one");
            FaultyMember slow = cluster.members.get(0);
            cluster.members.get(1).fail(Fault.DOWN);
            slow.fail(Fault.HANGS, "raise");
            Thread suspender = new Thread(() -> {
                eventually(() -> slow.hanging.get() > 0);
                // The machine sleeps for longer than the lease; only the wall clock notices.
                cluster.clocks.suspend(LEASE);
                slow.heal();
            });
            suspender.start();
            assertThatThrownBy(() -> store.attempt(exclusive()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("too late");
        }
    }

    @Test
    void membersWhoseClocksRunFastStillLeaveTheHolderItsValidity() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Answer.Granted granted = granted(store.attempt(exclusive()));
            // Members run 0.9 % fast; the holder believes until its validity is over, and no longer.
            cluster.memberClocks.forEach(clock -> clock.advance(
                    granted.validity().plusNanos(granted.validity().toNanos() * 9 / 1000)));
            assertThat(cluster.open("two").attempt(exclusive())).isInstanceOf(Answer.Wait.class);
        }
    }

    @Test
    void readersShareAndExcludeAWriter() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore one = cluster.open("one");
            QuorumStore two = cluster.open("two");
            Claim a = shared();
            Claim b = shared();
            long tokenA = granted(one.attempt(a)).token();
            long tokenB = granted(two.attempt(b)).token();
            assertThat(tokenB).isGreaterThan(tokenA);
            assertThat(two.attempt(exclusive())).isInstanceOf(Answer.Wait.class);
            one.release(release(a));
            assertThat(two.attempt(exclusive())).isInstanceOf(Answer.Wait.class);
            two.release(release(b));
            // What each of them left behind on a slow member may be a majority.
            eventually(() -> one.isQuiet() && two.isQuiet());
            assertThat(granted(two.attempt(exclusive())).token()).isGreaterThan(tokenB);
        }
    }

    @Test
    void writerThatIsNarrowedLetsReadersInAndKeepsItsToken() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore one = cluster.open("one");
            QuorumStore two = cluster.open("two");
            Claim writer = exclusive();
            long token = granted(one.attempt(writer)).token();
            assertThat(one.narrow(writer, Mode.SHARED)).isTrue();
            granted(two.attempt(shared()));
            assertThat(one.renew(List.of(writer), LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
            assertThat(granted(one.attempt(writer)).token()).isEqualTo(token);
            assertThat(two.attempt(exclusive())).isInstanceOf(Answer.Wait.class);
        }
    }

    @Test
    void inspectShowsWhatAMajorityHoldsWithTheQuorumsToken() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            long token = granted(store.attempt(claim)).token();
            var state = store.inspect(LOCK).orElseThrow();
            assertThat(state.grants()).singleElement().satisfies(grant -> {
                assertThat(grant.token()).isEqualTo(token);
                assertThat(grant.shared()).isFalse();
            });
            assertThat(store.list("orders/")).containsExactly(state);
            assertThat(store.list("other")).isEmpty();
            store.release(release(claim));
            eventually(store::isQuiet);
            // A minority that has a grant of its own is not shown.
            cluster.members.get(0).memory.open(new ProbeKeeper(cluster.clocks)).attempt(exclusive());
            assertThat(store.inspect(LOCK)).isEmpty();
        }
    }

    @Test
    void leaseBeyondTheLongestIsRefused() {
        try (Cluster cluster = new Cluster(3)) {
            Claim claim = Claims.of("x", LOCK, Mode.EXCLUSIVE, LONGEST.plusMillis(1), Claim.Queueing.NEVER);
            assertThat(cluster.open("one").attempt(claim))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.message()).contains("1m", "1m 0.001s"));
        }
    }

    @Test
    void backOffGrowsWhileAClaimWaitsAndIsRandom() {
        try (Cluster cluster =
                new Cluster(3, builder -> builder.backOff((failures, random) -> Duration.ofMillis(10L * failures)))) {
            QuorumStore one = cluster.open("one");
            Claim holder = exclusive();
            granted(one.attempt(holder));
            holdOnAll(one, holder);
            Claim next = Claims.of("next", LOCK, Mode.EXCLUSIVE, LEASE, Claim.Queueing.PLAIN);
            Claim waiting = Claims.of("waiting", LOCK, Mode.EXCLUSIVE, LEASE, Claim.Queueing.PLAIN);
            assertThat(one.attempt(next)).isEqualTo(new Answer.Wait(Duration.ofMillis(10)));
            assertThat(one.attempt(waiting)).isEqualTo(new Answer.Wait(Duration.ofMillis(10)));
            assertThat(one.attempt(waiting)).isEqualTo(new Answer.Wait(Duration.ofMillis(20)));
            assertThat(one.attempt(waiting)).isEqualTo(new Answer.Wait(Duration.ofMillis(30)));
            eventually(one::isQuiet);
            assertThat(one.release(release(waiting))).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(one.release(release(next))).isEqualTo(Release.Outcome.NOT_HELD);
            one.release(release(holder));
            assertThat(one.claims()).isZero();
            eventually(() -> cluster.members.stream().allMatch(member -> member.memory.names() == 0));
        }
    }

    @Test
    void storeIdIsMadeOfAllMembersAndOfNoLess() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore one = cluster.open("one");
            cluster.members.get(1).fail(Fault.DOWN);
            assertThatThrownBy(one::storeId).isInstanceOf(StoreUnavailableException.class);
            cluster.members.get(1).heal();
            assertThat(one.storeId()).isEqualTo(cluster.open("two").storeId());
            cluster.members.get(1).fail(Fault.DOWN);
            assertThat(one.storeId()).isNotEmpty();
        }
    }

    @Test
    void interruptDuringARequestIsKeptForTheCaller() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Thread.currentThread().interrupt();
            granted(store.attempt(exclusive()));
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void openNeedsAMajorityAndOpensTheOthersLater() {
        try (Cluster cluster = new Cluster(3)) {
            cluster.members.get(0).fail(Fault.DOWN);
            QuorumStore store = cluster.open("one");
            cluster.members.get(0).heal();
            cluster.members.get(1).fail(Fault.DOWN);
            granted(store.attempt(exclusive()));
            cluster.members.get(0).fail(Fault.DOWN);
            assertThatThrownBy(() -> cluster.open("two")).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void anErrorOfOneMemberIsItsFailureAndItsReleaseIsSentAgain() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Consumer<String> error = method -> {
                if (!method.equals("close")) {
                    throw new StackOverflowError("as the test wants it");
                }
            };
            cluster.members.get(2).before = error;
            Claim claim = exclusive();
            granted(store.attempt(claim));
            assertThat(store.renew(List.of(claim), Claims.LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
            assertThat(store.release(release(claim))).isEqualTo(Release.Outcome.RELEASED);
            cluster.members.get(2).before = method -> {};
            cluster.members.get(1).before = error;
            granted(store.attempt(exclusive()));
            cluster.members.get(0).before = error;
            assertThatThrownBy(() -> store.attempt(exclusive()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("member 2 of 3: The request failed by java.lang.StackOverflowError");
        }
    }

    @Test
    void aMemberThatCannotBeClosedLeavesNoOtherOpen() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            AtomicBoolean failing = new AtomicBoolean(true);
            cluster.members.get(0).before = method -> {
                if (method.equals("close") && failing.getAndSet(false)) {
                    throw new IllegalStateException("as the test wants it");
                }
            };
            assertThatThrownBy(store::close).isInstanceOf(IllegalStateException.class);
            assertThat(cluster.members)
                    .allSatisfy(member -> assertThat(member.calls).contains("close"));
        }
    }

    @Test
    void whatWasGrantedBeforeAnErrorIsGivenBack() {
        AtomicBoolean broken = new AtomicBoolean();
        RandomGenerator chance = new SplittableRandom(1);
        RandomGenerator random = new RandomGenerator() {
            @Override
            public long nextLong() {
                return chance.nextLong();
            }

            @Override
            public int nextInt(int bound) {
                if (broken.get()) {
                    throw new StackOverflowError("as the test wants it");
                }
                return chance.nextInt(bound);
            }
        };
        try (Cluster cluster = new Cluster(3, builder -> builder.random(random))) {
            QuorumStore store = cluster.open("one");
            broken.set(true);
            // The members' own semaphores have granted it by then; the slots are still to be asked for.
            assertThatThrownBy(() -> store.attempt(Claims.permits(2, 2))).isInstanceOf(StackOverflowError.class);
            assertThat(store.claims()).isZero();
            broken.set(false);
            eventually(() -> store.attempt(Claims.permits(2, 2)) instanceof Answer.Granted);
        }
    }

    @Test
    void aFixedLeaseIsExtendedWhenAMajorityConfirms() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("a");
            Claim claim = Claims.exclusive().withFixed(true);
            granted(store.attempt(claim));
            holdOnAll(store, claim);
            cluster.members.get(0).fail(FaultyMember.Fault.DOWN);

            Renewal extended = store.extend(claim.withLease(LEASE.multipliedBy(3)), LIMIT);

            assertThat(extended).isInstanceOf(Renewal.Kept.class);
            assertThat(((Renewal.Kept) extended).validity()).isBetween(LEASE.multipliedBy(2), LEASE.multipliedBy(3));
            cluster.advance(LEASE.multipliedBy(2));
            cluster.members.get(0).heal();
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
            assertThat(cluster.open("b").attempt(Claims.exclusive())).isInstanceOf(Answer.Wait.class);
        }
    }

    @Test
    void anExtensionThatAMinorityConfirmsDoesNotCount() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("a");
            Claim claim = Claims.exclusive().withFixed(true);
            granted(store.attempt(claim));
            holdOnAll(store, claim);
            cluster.members.get(0).fail(FaultyMember.Fault.DOWN);
            cluster.members.get(1).fail(FaultyMember.Fault.DOWN);

            assertThat(store.extend(claim.withLease(LEASE.multipliedBy(3)), LIMIT))
                    .isInstanceOf(Renewal.Unknown.class);

            cluster.advance(LEASE.multipliedBy(2));
            cluster.members.get(0).heal();
            cluster.members.get(1).heal();
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Gone.class);
            granted(cluster.open("b").attempt(Claims.exclusive()));
        }
    }

    @Test
    void aLeaseBeyondTheLongestIsNotExtendedTo() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("a");
            Claim claim = Claims.exclusive().withFixed(true);
            granted(store.attempt(claim));

            assertThatThrownBy(() -> store.extend(claim.withLease(Duration.ofSeconds(61)), LIMIT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("so it cannot be extended to 1m 1s; shorten it or raise that setting");
        }
    }

    @Test
    void whatWasReleasedIsNotExtended() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("a");
            Claim claim = Claims.exclusive().withFixed(true);
            granted(store.attempt(claim));
            store.release(release(claim));

            assertThat(store.extend(claim.withLease(LEASE.multipliedBy(2)), LIMIT))
                    .isInstanceOf(Renewal.Gone.class);
        }
    }
}
