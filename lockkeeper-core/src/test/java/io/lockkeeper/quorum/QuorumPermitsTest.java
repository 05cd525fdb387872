package io.lockkeeper.quorum;

import static io.lockkeeper.quorum.Claims.LIMIT;
import static io.lockkeeper.quorum.Claims.SEMAPHORE;
import static io.lockkeeper.quorum.Claims.permits;
import static io.lockkeeper.quorum.Claims.release;
import static io.lockkeeper.quorum.Steps.await;
import static io.lockkeeper.quorum.Steps.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Semaphores on a quorum: slots with a majority each. */
class QuorumPermitsTest {

    /** A majority decides; before each attempt here the others have heard of what was decided before, too. */
    private static Answer attempt(QuorumStore store, Claim claim) {
        eventually(store::isQuiet);
        return store.attempt(claim);
    }

    private static boolean isGranted(Answer answer) {
        return answer instanceof Answer.Granted;
    }

    @Test
    void neverMorePermitsThanTheSemaphoreHas() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            List<Claim> held = new ArrayList<>();
            Set<Long> tokens = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                Claim claim = permits(1, 3);
                Answer answer = attempt(store, claim);
                assertThat(answer).isInstanceOf(Answer.Granted.class);
                tokens.add(((Answer.Granted) answer).token());
                held.add(claim);
            }
            assertThat(tokens).hasSize(3);
            assertThat(attempt(store, permits(1, 3))).isInstanceOf(Answer.Wait.class);
            assertThat(store.release(release(held.get(1)))).isEqualTo(Release.Outcome.RELEASED);
            assertThat(isGranted(attempt(store, permits(1, 3)))).isTrue();
        }
    }

    @Test
    void permitsHeldByThreeDifferentMajoritiesStillCountTogether() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            int granted = 0;
            // Each claimant misses another member; on no member there are ever more than two.
            for (int away = 0; away < 3; away++) {
                cluster.members.get(away).fail(FaultyMember.Fault.DOWN);
                granted += isGranted(attempt(store, permits(1, 2))) ? 1 : 0;
                cluster.members.get(away).heal();
            }
            assertThat(granted).isEqualTo(2);
        }
    }

    @Test
    void manyPermitsAreHadTogetherOrNotAtAll() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim two = permits(2, 4);
            assertThat(isGranted(attempt(store, two))).isTrue();
            assertThat(attempt(store, permits(3, 4))).isInstanceOf(Answer.Wait.class);
            // What it could have had was given back.
            assertThat(isGranted(attempt(store, permits(2, 4)))).isTrue();
        }
    }

    @Test
    void partOfAClaimCanBeGivenBack() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim three = permits(3, 3);
            assertThat(isGranted(attempt(store, three))).isTrue();
            assertThat(store.narrow(three, Mode.permits(1, 3))).isTrue();
            assertThat(store.narrow(three, Mode.permits(1, 3))).isTrue();
            assertThat(isGranted(attempt(store, permits(2, 3)))).isTrue();
            assertThat(attempt(store, permits(1, 3))).isInstanceOf(Answer.Wait.class);
            assertThat(store.renew(List.of(three), LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
        }
    }

    @Test
    void aPartialReleaseDuringARenewalKeepsTheRest() throws Exception {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim three = permits(3, 3);
            assertThat(isGranted(attempt(store, three))).isTrue();
            eventually(store::isQuiet);
            CountDownLatch renewing = new CountDownLatch(3);
            CountDownLatch narrowed = new CountDownLatch(1);
            for (FaultyMember member : cluster.members) {
                member.before = method -> {
                    if (method.equals("renew")) {
                        renewing.countDown();
                        await(narrowed);
                    }
                };
            }
            CompletableFuture<List<Renewal>> renewal =
                    CompletableFuture.supplyAsync(() -> store.renew(List.of(three), LIMIT));
            await(renewing);
            assertThat(store.narrow(three, Mode.permits(2, 3))).isTrue();
            eventually(() -> cluster.members.stream()
                    .allMatch(member -> member.calls.contains("narrow") && member.calls.contains("release")));
            narrowed.countDown();
            assertThat(renewal.get(30, TimeUnit.SECONDS).get(0)).isInstanceOf(Renewal.Kept.class);
            assertThat(store.renew(List.of(three), LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
            assertThat(isGranted(attempt(store, permits(1, 3)))).isTrue();
            assertThat(attempt(store, permits(1, 3))).isInstanceOf(Answer.Wait.class);
        }
    }

    @Test
    void anotherSizeIsRefusedWithBothNumbersUntilResized() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            assertThat(isGranted(attempt(store, permits(1, 2)))).isTrue();
            assertThat(attempt(store, permits(1, 5)))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.message()).contains("2 permits", "not 5"));
            store.resize(SEMAPHORE, 5);
            assertThat(isGranted(attempt(store, permits(4, 5)))).isTrue();
            assertThat(attempt(store, permits(1, 5))).isInstanceOf(Answer.Wait.class);
        }
    }

    @Test
    void shrinkingTakesNothingAwayAndIsReachedAsHoldersRelease() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim a = permits(1, 3);
            Claim b = permits(1, 3);
            Claim c = permits(1, 3);
            for (Claim claim : List.of(a, b, c)) {
                assertThat(isGranted(attempt(store, claim))).isTrue();
            }
            store.resize(SEMAPHORE, 1);
            assertThat(store.renew(List.of(a, b, c), LIMIT)).allMatch(Renewal.Kept.class::isInstance);
            store.release(release(a));
            store.release(release(b));
            assertThat(attempt(store, permits(1, 1))).isInstanceOf(Answer.Wait.class);
            store.release(release(c));
            assertThat(isGranted(attempt(store, permits(1, 1)))).isTrue();
        }
    }

    @Test
    void inspectCountsPermitsAndListHidesSlots() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            attempt(store, permits(1, 5));
            attempt(store, permits(1, 5));
            attempt(store, permits(2, 5));
            eventually(store::isQuiet);
            ResourceState state = store.inspect(SEMAPHORE).orElseThrow();
            assertThat(state.permits()).isEqualTo(5);
            assertThat(state.grants().stream()
                            .mapToInt(ResourceState.Grant::permits)
                            .sum())
                    .isEqualTo(4);
            assertThat(store.list("").stream().map(ResourceState::resource)).containsExactly(SEMAPHORE);
        }
    }

    @Test
    void forceReleaseFreesTheSlotsToo() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim both = permits(2, 2);
            assertThat(isGranted(attempt(store, both))).isTrue();
            eventually(store::isQuiet);
            assertThat(store.forceRelease(SEMAPHORE)).isTrue();
            assertThat(store.renew(List.of(both), LIMIT).get(0)).isInstanceOf(Renewal.Gone.class);
            assertThat(isGranted(cluster.open("two").attempt(permits(2, 2)))).isTrue();
            assertThat(cluster.signals).isNotEmpty().allMatch(SEMAPHORE::equals);
        }
    }

    @Test
    void forceReleaseCountsTheSlotsOfAHolderThatGaveBackTheRestMeanwhile() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim both = permits(2, 2);
            assertThat(isGranted(store.attempt(both))).isTrue();
            for (FaultyMember member : cluster.members) {
                Store direct = member.memory.open(new ProbeKeeper(cluster.clocks));
                member.executed = method -> {
                    if (method.equals("forceRelease")) {
                        StoreAbility.of(direct, ForceReleaseStore.class).forceRelease(SEMAPHORE);
                    }
                };
            }
            assertThat(store.forceRelease(SEMAPHORE)).isTrue();
        }
    }

    @Test
    void permitsOfAnImpossibleSizeAreRefused() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            assertThat(attempt(store, permits(1, 1_000_001)))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.message()).contains("1000001"));
            assertThatIllegalArgumentException().isThrownBy(() -> store.resize(SEMAPHORE, 0));
            Resource lock = Claims.LOCK;
            assertThatIllegalArgumentException().isThrownBy(() -> store.resize(lock, 2));
            assertThat(attempt(store, permits(3, 2))).isInstanceOf(Answer.Refused.class);
        }
    }
}
