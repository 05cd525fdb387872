package io.lockkeeper.quorum;

import static io.lockkeeper.quorum.Claims.LEASE;
import static io.lockkeeper.quorum.Claims.LIMIT;
import static io.lockkeeper.quorum.Claims.LOCK;
import static io.lockkeeper.quorum.Claims.exclusive;
import static io.lockkeeper.quorum.Steps.await;
import static io.lockkeeper.quorum.Steps.eventually;
import static io.lockkeeper.quorum.Steps.freeOn;
import static io.lockkeeper.quorum.Steps.granted;
import static io.lockkeeper.quorum.Steps.holdOnAll;
import static io.lockkeeper.quorum.Steps.keep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Loss;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.FaultyMember.Fault;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Members that restart, forget or were down: whose votes count, and what that makes of a hold when it is renewed. */
class QuorumVotesTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    @Test
    void memberThatRestartedEmptyHasNoVoteUntilItsUptimeExceedsTheLongestLease() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore one = cluster.open("one");
            Claim mine = exclusive();
            granted(one.attempt(mine));
            eventually(one::isQuiet);
            cluster.members.get(0).memory.faults().restartEmpty();
            cluster.members.get(1).memory.faults().restartEmpty();
            // Both forgot the grant; were they counted, there would be two holders now.
            QuorumStore two = cluster.open("two");
            assertThatThrownBy(() -> two.attempt(exclusive()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("member 1 of 3: not voting yet, for another 1m")
                    .hasMessageContaining("durable=true");
            cluster.advance(LONGEST);
            assertThatThrownBy(() -> two.attempt(exclusive())).isInstanceOf(StoreUnavailableException.class);
            cluster.advance(Duration.ofMillis(1));
            granted(two.attempt(exclusive()));
        }
    }

    @Test
    void aMemberThatGrantedTooEarlyHasNoVoteThoughItIsOldEnoughWhenItIsLookedAt() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            cluster.members.forEach(member -> member.memory.faults().restartEmpty());
            cluster.advance(LONGEST.minusSeconds(1));
            CountDownLatch granted = new CountDownLatch(3);
            CountDownLatch later = new CountDownLatch(1);
            cluster.members.forEach(member -> member.executed = method -> {
                if (method.equals("attempt")) {
                    granted.countDown();
                    await(later);
                }
            });
            Thread time = new Thread(() -> {
                await(granted);
                // Less than the limit of a request, which runs by the same clocks.
                cluster.advance(Duration.ofSeconds(2));
                later.countDown();
            });
            time.start();
            Claim claim = Claims.of("mine", LOCK, Mode.EXCLUSIVE, Duration.ofSeconds(30), Claim.Queueing.NEVER);
            assertThatThrownBy(() -> store.attempt(claim))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("member 1 of 3: not voting yet, for another 1s");
        }
    }

    @Test
    void durableMemberVotesRightAfterItsRestart() {
        TestClocks clocks = new TestClocks();
        QuorumBuilder builder = Quorum.builder().nodeTimeout(LIMIT);
        List<FaultyMember> members =
                List.of(new FaultyMember(clocks), new FaultyMember(clocks), new FaultyMember(clocks));
        members.forEach(builder::durableMember);
        try (Quorum quorum = builder.build();
                var store = quorum.open(new ProbeKeeper(clocks))) {
            members.forEach(member -> member.memory.faults().restartEmpty());
            granted(store.attempt(exclusive()));
        }
    }

    @Test
    void longHoldSurvivesRollingRestartsBecauseMembersAreTakenAgain() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            long token = granted(store.attempt(claim)).token();
            holdOnAll(store, claim);
            for (int restart = 0; restart < 9; restart++) {
                cluster.members.get(restart % 3).memory.faults().restartEmpty();
                keep(store, claim);
                eventually(() -> store.votes(claim.id()) == 2);
                for (int i = 0; i <= 18; i++) {
                    cluster.advance(LEASE.dividedBy(3));
                    keep(store, claim);
                }
                // It has been up for long enough now, so its vote is won back.
                holdOnAll(store, claim);
            }
            assertThat(granted(store.attempt(claim)).token()).isEqualTo(token);
            assertThat(cluster.open("two").attempt(exclusive())).isInstanceOf(Answer.Wait.class);
        }
    }

    @Test
    void fasterRollingRestartsThanVotesComeBackAreLossAndSaidSo() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            granted(store.attempt(claim));
            holdOnAll(store, claim);
            cluster.members.get(0).memory.faults().restartEmpty();
            keep(store, claim);
            eventually(() -> store.isQuiet() && !freeOn(cluster, 0));
            cluster.members.get(1).memory.faults().restartEmpty();
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Gone.class);
        }
    }

    @Test
    void aClaimThatLostItsMajorityIsEndedWhereItStillHolds() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            granted(store.attempt(claim));
            eventually(() -> store.isQuiet() && !freeOn(cluster, 2));
            cluster.members.get(0).memory.faults().loseGrants();
            cluster.members.get(1).memory.faults().loseGrants();
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Gone.class);
            assertThat(store.claims()).isZero();
            eventually(() -> freeOn(cluster, 2));
        }
    }

    @Test
    void memberThatWasDownAtTheGrantIsWonAtTheNextRenewal() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            cluster.members.get(2).fail(Fault.DOWN);
            Claim claim = exclusive();
            granted(store.attempt(claim));
            eventually(() -> store.votes(claim.id()) == 2);
            cluster.members.get(2).heal();
            holdOnAll(store, claim);
            cluster.members.get(0).fail(Fault.DOWN);
            keep(store, claim);
        }
    }

    @Test
    void goneOnAMajorityIsLossAtOnce() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            granted(store.attempt(claim));
            assertThat(store.forceRelease(LOCK)).isTrue();
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isEqualTo(new Renewal.Gone(Loss.Reason.FORCED));
            granted(cluster.open("two").attempt(exclusive()));
        }
    }

    @Test
    void forceReleaseCountsWhatItsHolderGaveBackBetweenTheAnswersOfTheMembers() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore holder = cluster.open("one");
            Claim claim = heldByTheFirstTwo(cluster, holder);
            CountDownLatch givenBack = new CountDownLatch(1);
            cluster.members.get(0).executed = method -> {
                if (method.equals("forceRelease")) {
                    assertThat(holder.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Gone.class);
                    eventually(() -> freeOn(cluster, 1));
                    givenBack.countDown();
                }
            };
            for (FaultyMember later : cluster.members.subList(1, 3)) {
                later.before = method -> {
                    if (method.equals("forceRelease")) {
                        await(givenBack);
                    }
                };
            }
            assertThat(cluster.open("two").forceRelease(LOCK)).isTrue();
        }
    }

    @Test
    void forceReleaseCountsAHolderOfWhoseMembersOneIsDown() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = heldByTheFirstTwo(cluster, store);
            cluster.members.get(1).fail(Fault.DOWN);
            assertThat(store.forceRelease(LOCK)).isTrue();
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Gone.class);
        }
    }

    @Test
    void forceReleaseEndsWhatAFewMembersHaveAndSaysThatNobodyHeldIt() {
        try (Cluster cluster = new Cluster(3)) {
            cluster.members.get(2).memory.open(new ProbeKeeper(cluster.clocks)).attempt(exclusive());
            assertThat(freeOn(cluster, 2)).isFalse();
            assertThat(cluster.open("one").forceRelease(LOCK)).isFalse();
            assertThat(freeOn(cluster, 2)).isTrue();
        }
    }

    private static Claim heldByTheFirstTwo(Cluster cluster, QuorumStore store) {
        cluster.members.get(2).fail(Fault.DOWN);
        Claim claim = exclusive();
        granted(store.attempt(claim));
        eventually(store::isQuiet);
        cluster.members.get(2).heal();
        assertThat(freeOn(cluster, 2)).isTrue();
        return claim;
    }

    @Test
    void renewalWithoutAMajorityOfAnswersIsUnknown() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim claim = exclusive();
            granted(store.attempt(claim));
            cluster.members.get(0).fail(Fault.DOWN);
            cluster.members.get(1).fail(Fault.DOWN);
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Unknown.class);
            cluster.members.forEach(FaultyMember::heal);
            assertThat(store.renew(List.of(claim), LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
        }
    }

    @Test
    void renewalOfManyClaimsIsOneRequestToEachMember() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            List<Claim> claims = java.util.stream.IntStream.range(0, 50)
                    .mapToObj(i ->
                            Claims.of(new io.lockkeeper.Resource(io.lockkeeper.Family.LOCK, "n" + i), Mode.EXCLUSIVE))
                    .toList();
            claims.forEach(claim -> granted(store.attempt(claim)));
            claims.forEach(claim -> holdOnAll(store, claim));
            eventually(store::isQuiet);
            cluster.members.forEach(member -> member.calls.clear());
            assertThat(store.renew(claims, LIMIT)).hasSize(50).allMatch(Renewal.Kept.class::isInstance);
            eventually(() -> cluster.members.stream().allMatch(member -> member.calls.contains("renew")));
            assertThat(cluster.members)
                    .allSatisfy(member -> assertThat(member.calls).containsOnlyOnce("renew"));
        }
    }
}
