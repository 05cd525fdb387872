package io.lockkeeper.quorum;

import static io.lockkeeper.quorum.Claims.LEASE;
import static io.lockkeeper.quorum.Claims.LOCK;
import static io.lockkeeper.quorum.Claims.exclusive;
import static io.lockkeeper.quorum.Claims.permits;
import static io.lockkeeper.quorum.Steps.eventually;
import static io.lockkeeper.quorum.Steps.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.FaultyMember.Fault;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What a single try says, and how many rounds it makes. */
class QuorumTriesTest {

    private static final BackOff SOON = BackOff.constant(Duration.ofMillis(1), Duration.ofMillis(1));

    private static int rounds(Cluster cluster, QuorumStore store) {
        eventually(store::isQuiet);
        return Collections.frequency(cluster.members.get(0).calls, "attempt");
    }

    private static void occupy(Cluster cluster, int member) {
        granted(probe(cluster, member).attempt(exclusive()));
    }

    private static Store probe(Cluster cluster, int member) {
        return cluster.members.get(member).memory.open(new ProbeKeeper(cluster.clocks));
    }

    @Test
    void aTryAsksOnceIfOthersHaveAllMembers() {
        try (Cluster cluster = new Cluster(3, builder -> builder.backOff(SOON))) {
            QuorumStore store = cluster.open("one");
            for (int member = 0; member < 3; member++) {
                occupy(cluster, member);
            }
            assertThat(store.attempt(exclusive())).isInstanceOf(Answer.Wait.class);
            assertThat(rounds(cluster, store)).isEqualTo(1);
        }
    }

    @Test
    void aTryMakesAsManyRoundsAsAreSet() {
        List<Integer> failures = new ArrayList<>();
        BackOff counting = (failed, random) -> {
            failures.add(failed);
            return Duration.ofMillis(1);
        };
        try (Cluster cluster = new Cluster(3, builder -> builder.attempts(4).backOff(counting))) {
            QuorumStore store = cluster.open("one");
            for (int member = 0; member < 3; member++) {
                occupy(cluster, member);
            }
            assertThat(store.attempt(exclusive())).isInstanceOf(Answer.Wait.class);
            assertThat(rounds(cluster, store)).isEqualTo(4);
            assertThat(failures.subList(0, 3)).containsExactly(1, 2, 3);
        }
    }

    @Test
    void theRoundThatSucceedsIsTheLastAndCountsItsOwnLease() {
        AtomicInteger pauses = new AtomicInteger();
        try (Cluster cluster = new Cluster(
                3,
                builder -> builder.attempts(9).backOff((failed, random) -> {
                    pauses.incrementAndGet();
                    return Duration.ofMillis(1);
                }))) {
            QuorumStore store = cluster.open("one");
            for (int member = 0; member < 3; member++) {
                occupy(cluster, member);
            }
            cluster.members.get(0).before = method -> {
                if (method.equals("attempt") && pauses.get() == 2) {
                    cluster.members.forEach(member -> member.memory.faults().loseGrants());
                }
            };
            for (FaultyMember later : cluster.members.subList(1, 3)) {
                later.before = method -> {
                    if (method.equals("attempt") && pauses.get() == 2) {
                        eventually(() -> Steps.freeOn(cluster, cluster.members.indexOf(later)));
                    }
                };
            }
            Answer.Granted granted = granted(store.attempt(exclusive()));
            assertThat(granted.validity()).isLessThan(LEASE);
            assertThat(rounds(cluster, store)).isEqualTo(3);
        }
    }

    @Test
    void membersThatDoNotAnswerAreAskedAgainToo() {
        try (Cluster cluster = new Cluster(3, builder -> builder.attempts(3).backOff(SOON))) {
            QuorumStore store = cluster.open("one");
            cluster.members.get(1).fail(Fault.DOWN);
            cluster.members.get(2).fail(Fault.DOWN);
            assertThatThrownBy(() -> store.attempt(exclusive()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("member 2 of 3: down");
            assertThat(rounds(cluster, store)).isEqualTo(3);
        }
    }

    @Test
    void aClaimThatWaitsGetsOneRoundAtATime() {
        try (Cluster cluster = new Cluster(3, builder -> builder.attempts(5).backOff(SOON))) {
            QuorumStore store = cluster.open("one");
            for (int member = 0; member < 3; member++) {
                occupy(cluster, member);
            }
            assertThat(store.attempt(waiting())).isInstanceOf(Answer.Wait.class);
            // The second one is for the turn.
            assertThat(rounds(cluster, store)).isEqualTo(2);
        }
    }

    @Test
    void anInterruptedTryMakesNoMoreRounds() {
        try (Cluster cluster =
                new Cluster(3, builder -> builder.attempts(1_000).backOff((failed, random) -> Duration.ofHours(1)))) {
            QuorumStore store = cluster.open("one");
            for (int member = 0; member < 3; member++) {
                occupy(cluster, member);
            }
            Thread.currentThread().interrupt();
            assertThat(store.attempt(exclusive())).isInstanceOf(Answer.Wait.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(rounds(cluster, store)).isEqualTo(1);
        }
    }

    @Test
    void claimsThatSplitTheMembersBetweenThemTryAgain() {
        try (Cluster cluster = new Cluster(5, builder -> builder.backOff(SOON))) {
            QuorumStore store = cluster.open("one");
            for (int member = 0; member < 3; member++) {
                occupy(cluster, member);
            }
            AtomicInteger asked = new AtomicInteger();
            cluster.members.get(4).before = method -> {
                // The others have given up by the time of the second round.
                if (method.equals("attempt") && asked.incrementAndGet() == 2) {
                    for (int member = 0; member < 3; member++) {
                        StoreAbility.of(probe(cluster, member), ForceReleaseStore.class)
                                .forceRelease(LOCK);
                    }
                }
            };
            granted(store.attempt(exclusive()));
        }
    }

    @Test
    void noIsNotSaidForMembersThatDidNotAnswer() {
        try (Cluster cluster = new Cluster(3, builder -> builder.backOff(SOON))) {
            QuorumStore store = cluster.open("one");
            occupy(cluster, 0);
            cluster.members.get(1).fail(Fault.DOWN);
            // One member is taken, one is away, and one would grant it: whether another claim holds it is not known.
            assertThatThrownBy(() -> store.attempt(exclusive()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("member 2 of 3: down");
            assertThat(store.attempt(waiting())).isInstanceOf(Answer.Wait.class);
        }
    }

    @Test
    void aClaimForManyPermitsGivesEachRequestTheWholeLimit() {
        try (Cluster cluster = new Cluster(3, builder -> builder.nodeTimeout(Duration.ofMillis(200)))) {
            QuorumStore store = cluster.open("one");
            // Sixteen at once: a hundred take longer than the limit of one.
            cluster.members.forEach(member -> member.before = method -> {
                if (method.equals("attempt")) {
                    LockSupport.parkNanos(Duration.ofMillis(40).toNanos());
                }
            });
            granted(store.attempt(permits(100, 100)));
        }
    }

    @Test
    void aMemberThatHangsCostsAClaimForManyPermitsItsLimitOnce() {
        try (Cluster cluster = new Cluster(3, builder -> builder.nodeTimeout(Duration.ofMillis(400)))) {
            QuorumStore store = cluster.open("one");
            cluster.members.get(0).fail(Fault.HANGS, "attempt");
            long begin = System.nanoTime();
            granted(store.attempt(permits(100, 100)));
            // Two phases with it; were each batch of sixteen given the limit anew, it would be seven times as long.
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(2_400));
        }
    }

    @Test
    void numbersAndTimesThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quorum.builder().attempts(0))
                .withMessageContaining("at least 1 but was 0");
        assertThatIllegalArgumentException().isThrownBy(() -> BackOff.constant(Duration.ofMillis(1), Duration.ZERO));
    }

    private static Claim waiting() {
        return Claims.of(
                UUID.randomUUID().toString().replace("-", ""), LOCK, Mode.EXCLUSIVE, LEASE, Claim.Queueing.PLAIN);
    }
}
