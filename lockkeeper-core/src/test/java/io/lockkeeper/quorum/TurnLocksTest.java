package io.lockkeeper.quorum;

import static io.lockkeeper.quorum.Claims.LEASE;
import static io.lockkeeper.quorum.Claims.LIMIT;
import static io.lockkeeper.quorum.Claims.LOCK;
import static io.lockkeeper.quorum.Claims.exclusive;
import static io.lockkeeper.quorum.Claims.release;
import static io.lockkeeper.quorum.Claims.shared;
import static io.lockkeeper.quorum.Steps.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.quorum.FaultyMember.Fault;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Which of the claims that wait for a lock of a quorum goes first. Each request is made once: there is no chance in it. */
class TurnLocksTest {

    private static final Duration A_HOLD = Duration.ofMillis(40);
    private static final Duration TURN = Duration.ofSeconds(3);

    private static Claim waiting(String id, Mode mode) {
        return Claims.of(id, LOCK, mode, LEASE, Claim.Queueing.PLAIN);
    }

    private static Claim writer(String id) {
        return waiting(id, Mode.EXCLUSIVE);
    }

    // A majority decides; each step here waits until the others have heard of it, too.

    private static void granted(QuorumStore store, Claim claim) {
        assertThat(store.attempt(claim)).isInstanceOf(Answer.Granted.class);
        eventually(store::isQuiet);
    }

    private static void waits(QuorumStore store, Claim claim) {
        assertThat(store.attempt(claim)).isInstanceOf(Answer.Wait.class);
        eventually(store::isQuiet);
    }

    private static void giveBack(QuorumStore store, Claim claim) {
        store.release(release(claim));
        eventually(store::isQuiet);
    }

    @Test
    void aHolderThatComesBackAtOnceLetsOneThatWaitsGoFirst() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore busy = cluster.open("busy");
            QuorumStore patient = cluster.open("patient");
            granted(busy, writer("first"));
            waits(patient, writer("other"));
            cluster.advance(A_HOLD);
            giveBack(busy, writer("first"));
            waits(busy, writer("again"));
            granted(patient, writer("other"));
            waits(busy, writer("again"));
            giveBack(patient, writer("other"));
            granted(busy, writer("again"));
        }
    }

    @Test
    void twoThatComeBackAtOnceNeverPassItBetweenThem() {
        try (Cluster cluster = new Cluster(3)) {
            List<QuorumStore> busy = List.of(cluster.open("a"), cluster.open("b"));
            QuorumStore patient = cluster.open("patient");
            granted(busy.get(0), writer("a0"));
            waits(patient, writer("other"));
            waits(busy.get(1), writer("b0"));
            cluster.advance(A_HOLD);
            giveBack(busy.get(0), writer("a0"));
            for (int round = 0; round < 5; round++) {
                waits(busy.get(1), writer("b0"));
                waits(busy.get(0), writer("a1"));
            }
            granted(patient, writer("other"));
        }
    }

    @Test
    void writersThatComeOneAfterTheOtherLetAReaderIn() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore one = cluster.open("one");
            QuorumStore two = cluster.open("two");
            QuorumStore reader = cluster.open("reader");
            granted(one, writer("w1"));
            waits(reader, waiting("r", Mode.SHARED));
            waits(two, writer("w2"));
            cluster.advance(A_HOLD);
            giveBack(one, writer("w1"));
            waits(two, writer("w2"));
            waits(one, writer("w3"));
            granted(reader, waiting("r", Mode.SHARED));
        }
    }

    @Test
    void readersDoNotOvertakeAWriterThatWaitsAndPassWhenItGivesUp() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore readers = cluster.open("readers");
            QuorumStore writers = cluster.open("writers");
            granted(readers, shared());
            waits(writers, exclusive());
            // A claim that asks only once keeps no other out.
            granted(readers, shared());
            waits(writers, writer("writer"));
            waits(readers, shared());
            giveBack(writers, writer("writer"));
            granted(readers, shared());
            assertThat(readers.list("")).extracting(ResourceState::resource).containsExactly(LOCK);
        }
    }

    @Test
    void aWriterThatGotInPassesTheTurnOn() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore readers = cluster.open("readers");
            QuorumStore writers = cluster.open("writers");
            Claim reading = shared();
            granted(readers, reading);
            waits(writers, writer("writer"));
            waits(writers, writer("writer"));
            giveBack(readers, reading);
            granted(writers, writer("writer"));
            giveBack(writers, writer("writer"));
            granted(readers, shared());
        }
    }

    @Test
    void readersPassThreeSecondsAfterAWriterDied() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore readers = cluster.open("readers");
            granted(readers, shared());
            waits(cluster.open("dies"), writer("dead"));
            waits(readers, shared());
            cluster.advance(TURN);
            granted(readers, shared());
        }
    }

    @Test
    void whoTriesOnceOrComesAnewIsNotKeptOut() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore busy = cluster.open("busy");
            granted(busy, writer("first"));
            waits(cluster.open("patient"), writer("other"));
            cluster.advance(A_HOLD);
            giveBack(busy, writer("first"));
            Claim once = exclusive();
            granted(busy, once);
            giveBack(busy, once);
            granted(cluster.open("new"), writer("new"));
        }
    }

    @Test
    void aLockThatNobodyElseWantsCostsNoRequestMore() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore store = cluster.open("one");
            Claim first = writer("first");
            granted(store, first);
            giveBack(store, first);
            cluster.members.forEach(member -> member.calls.clear());
            Claim second = writer("second");
            granted(store, second);
            assertThat(calls(cluster)).doesNotContain("inspect");
            // Having had it for longer, it looks, beside its request, and comes back without delay.
            cluster.advance(A_HOLD);
            giveBack(store, second);
            granted(store, writer("third"));
            assertThat(calls(cluster)).contains("inspect");
            // Having been away for longer, it does not.
            cluster.advance(A_HOLD);
            giveBack(store, writer("third"));
            cluster.members.forEach(member -> member.calls.clear());
            cluster.advance(Duration.ofMillis(200));
            granted(store, writer("fourth"));
            assertThat(calls(cluster)).doesNotContain("inspect");
        }
    }

    private static List<String> calls(Cluster cluster) {
        List<String> calls = new ArrayList<>();
        cluster.members.forEach(member -> calls.addAll(member.calls));
        return calls;
    }

    @Test
    void oneThatDiesWhileItIsNextHoldsUpTheOthersForThreeSeconds() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore busy = cluster.open("busy");
            granted(busy, writer("first"));
            waits(cluster.open("dies"), writer("dead"));
            cluster.advance(A_HOLD);
            giveBack(busy, writer("first"));
            waits(busy, writer("again"));
            cluster.advance(TURN);
            granted(busy, writer("again"));
        }
    }

    @Test
    void theTurnIsKeptForAsLongAsItsOwnerAsks() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore busy = cluster.open("busy");
            QuorumStore patient = cluster.open("patient");
            granted(busy, writer("first"));
            for (int second = 0; second < 12; second++) {
                waits(patient, writer("other"));
                assertThat(busy.renew(List.of(writer("first")), LIMIT).get(0)).isInstanceOf(Renewal.Kept.class);
                eventually(busy::isQuiet);
                cluster.advance(Duration.ofSeconds(1));
            }
            giveBack(busy, writer("first"));
            waits(busy, writer("again"));
            granted(patient, writer("other"));
        }
    }

    @Test
    void whoGivesUpLeavesNoTrace() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore busy = cluster.open("busy");
            QuorumStore hasty = cluster.open("hasty");
            granted(busy, writer("first"));
            waits(hasty, writer("other"));
            cluster.advance(A_HOLD);
            giveBack(hasty, writer("other"));
            assertThat(hasty.claims()).isZero();
            assertThat(busy.list("")).extracting(ResourceState::resource).containsExactly(LOCK);
            giveBack(busy, writer("first"));
            granted(busy, writer("again"));
            giveBack(busy, writer("again"));
            assertThat(cluster.members)
                    .allSatisfy(member -> assertThat(member.memory.names()).isZero());
        }
    }

    @Test
    void withAMinorityDownTheTurnIsTakenAllTheSame() {
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore busy = cluster.open("busy");
            QuorumStore patient = cluster.open("patient");
            cluster.members.get(1).fail(Fault.DOWN);
            granted(busy, writer("first"));
            waits(patient, writer("other"));
            cluster.advance(A_HOLD);
            giveBack(busy, writer("first"));
            waits(busy, writer("again"));
            granted(patient, writer("other"));
        }
    }

    @Test
    void oneThatIsNextAsksOftenAtFirstAndThenLikeEverybody() {
        List<Integer> asked = new CopyOnWriteArrayList<>();
        try (Cluster cluster = new Cluster(
                3,
                builder -> builder.backOff((failures, random) -> {
                    asked.add(failures);
                    return Duration.ofMillis(1);
                }))) {
            granted(cluster.open("holder"), exclusive());
            QuorumStore patient = cluster.open("patient");
            for (int i = 0; i < 40; i++) {
                waits(patient, writer("other"));
            }
            assertThat(asked.subList(0, 7)).containsOnly(1);
            assertThat(asked.get(39)).isEqualTo(6);
        }
    }

    @Test
    void anElectionHasATurnToo() {
        Resource election = new Resource(Family.ELECTION, "leader");
        try (Cluster cluster = new Cluster(3)) {
            QuorumStore one = cluster.open("one");
            QuorumStore two = cluster.open("two");
            Claim leader = Claims.of("l1", election, Mode.EXCLUSIVE, LEASE, Claim.Queueing.PLAIN);
            Claim next = Claims.of("l2", election, Mode.EXCLUSIVE, LEASE, Claim.Queueing.PLAIN);
            granted(one, leader);
            waits(two, next);
            cluster.advance(A_HOLD);
            giveBack(one, leader);
            // A lock of the same name is another resource.
            granted(one, Claims.of(new Resource(Family.LOCK, "leader"), Mode.SHARED));
            waits(one, Claims.of("l3", election, Mode.EXCLUSIVE, LEASE, Claim.Queueing.PLAIN));
            granted(two, next);
        }
    }

    @Test
    void readersShareWhileNoWriterWaits() {
        try (Cluster cluster = new Cluster(3)) {
            granted(cluster.open("one"), shared());
            granted(cluster.open("two"), waiting("r2", Mode.SHARED));
            granted(cluster.open("three"), waiting("r3", Mode.SHARED));
        }
    }
}
