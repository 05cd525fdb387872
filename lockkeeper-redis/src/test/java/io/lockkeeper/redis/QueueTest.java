package io.lockkeeper.redis;

import static io.lockkeeper.redis.StoreScene.SILENCE;
import static io.lockkeeper.redis.StoreScene.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.MemberStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The queue in the server: a free resource belongs to the first living claim, and that claim keeps its place until it has
 * asked itself. Silence is made by setting back when a claim was last heard of, and those who are not to be silent are heard
 * of in the future: a claim of which nothing is heard for three seconds is passed over, and a busy machine may take that long.
 */
class QueueTest {

    private final StoreScene scene = new StoreScene();
    private final Resource lock = StoreScene.lock();

    private final Claim holder = exclusive("holder");
    private final Claim first = exclusive("first");
    private final Claim second = exclusive("second");

    @AfterEach
    void end() {
        scene.close();
    }

    private Claim exclusive(String id) {
        return claim(lock, id, Mode.EXCLUSIVE, Queueing.PLAIN);
    }

    private Claim fair(String id) {
        return claim(lock, id, Mode.EXCLUSIVE, Queueing.FAIR);
    }

    private void told(String keeper) {
        Eventually.holds(() -> !scene.keeper(keeper).signals.isEmpty());
    }

    /** Nothing that was published before is still on its way: a message to everybody's own channel comes after it. */
    private void toldNothing(String keeper) {
        Resource mark = StoreScene.lock();
        scene.server.command("PUBLISH", "lockkeeper:keeper:" + keeper, scene.key(mark));
        Eventually.holds(() -> scene.keeper(keeper).signals.contains(mark));
        scene.keeper(keeper).signals.remove(mark);
        assertThat(scene.keeper(keeper).signals).as(keeper).isEmpty();
    }

    @Test
    void claimStaysAtTheHeadUntilItConfirms() {
        scene.granted("a", holder);
        scene.queues("b", first);
        scene.queues("c", second);
        scene.release("a", holder);

        told("b");
        toldNothing("c");
        assertThat(scene.queue(lock)).containsExactly("first", "second");
        scene.waits("c", second);
        scene.waits("d", claim(lock, "passing", Mode.EXCLUSIVE, Queueing.NEVER));
        scene.granted("b", first);
        assertThat(scene.queue(lock)).containsExactly("second");
    }

    @Test
    void confirmationCountsFromItsOwnSending() {
        Claim slow = claim(lock, "slow", Mode.EXCLUSIVE, Queueing.PLAIN, Duration.ofSeconds(20), 1);
        scene.granted("a", holder);
        scene.queues("b", slow);
        scene.release("a", holder);
        told("b");

        // Being told gives nothing yet: were the lease running, the one who wakes late would believe in too much of it.
        assertThat(scene.server.command("EXISTS", scene.key(lock))).isEqualTo(0L);
        assertThat(scene.granted("b", slow).validity()).isEqualTo(slow.lease());
        scene.server.command("PEXPIRE", scene.key(lock), "2000");
        assertThat(scene.granted("b", slow).validity()).isEqualTo(slow.lease());
        assertThat((Long) scene.answer("PTTL", scene.key(lock)))
                .as("asked again, it has the whole lease again")
                .isBetween(10_000L, 20_000L);
    }

    @Test
    void aFreeResourceGoesToTheHeadOfItsQueue() {
        scene.granted("a", holder);
        scene.queues("b", first);
        scene.queues("c", second);
        // The lease ends without a word.
        scene.server.command("DEL", scene.key(lock));

        scene.waits("d", claim(lock, "passing", Mode.EXCLUSIVE, Queueing.NEVER));
        told("b");
        toldNothing("c");
        assertThat(scene.queue(lock)).containsExactly("first", "second");
    }

    @Test
    void renewingAnotherGrantOfTheResourceTellsTheHeadToo() {
        Claim reader = claim(lock, "reader", Mode.SHARED, Queueing.PLAIN);
        Claim other = claim(lock, "other", Mode.SHARED, Queueing.PLAIN);
        scene.granted("a", holder);
        scene.queues("b", reader);
        scene.queues("c", other);
        scene.server.command("DEL", scene.key(lock));
        scene.granted("b", reader);
        told("c");
        scene.keeper("c").signals.clear();

        Renewal renewal =
                scene.store("b").renew(List.of(reader), StoreScene.TIMEOUT).get(0);
        assertThat(renewal).isEqualTo(new Renewal.Kept(reader.lease(), true));
        told("c");
    }

    @Test
    void silentClaimsArePassedOverInOneGo() {
        scene.granted("a", holder);
        List<Claim> dead = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            Claim claim = i % 2 == 0 ? exclusive("dead" + i) : fair("dead" + i);
            scene.waits("dead", claim);
            dead.add(claim);
        }
        scene.queues("b", first);
        dead.forEach(claim -> scene.silent(claim, SILENCE));
        scene.release("a", holder);

        told("b");
        scene.granted("b", first);
        assertThat(scene.queue(lock))
                .as("they keep their places, should they come back")
                .hasSize(250);
    }

    @Test
    void aClaimThatIsAskedForAgainIsHeardAgain() {
        scene.granted("a", holder);
        scene.queues("b", first);
        scene.queues("c", second);
        scene.silent(first, SILENCE);
        long asked = scene.micros() / 1000;
        scene.waits("b", first);
        assertThat(scene.heard(first)).isGreaterThanOrEqualTo(asked);
        scene.lively(first);
        scene.release("a", holder);

        told("b");
        scene.waits("c", second);
        scene.granted("b", first);
    }

    /** Its keeper asks only for the first of its claims, so this one speaks for those behind it. */
    @Test
    void aGrantStampsTheKeepersClaimsBehindIt() {
        Claim behind = claim(lock, "behind", Mode.EXCLUSIVE, Queueing.PLAIN);
        scene.granted("a", holder);
        scene.waits("b", first);
        scene.waits("b", behind);
        List.of(first, behind).forEach(claim -> scene.silent(claim, SILENCE / 2));
        scene.release("a", holder);
        long asked = scene.micros() / 1000;

        scene.granted("b", first);
        assertThat(scene.heard(behind)).isGreaterThanOrEqualTo(asked);
    }

    @Test
    void aWaiterBehindASilentClaimIsToldWhenToRetry() {
        scene.store("c");
        scene.granted("a", holder);
        scene.queues("b", first);
        scene.release("a", holder);
        Answer answer;
        int tries = 0;
        do {
            scene.silent(first, SILENCE - 400);
            answer = scene.store("c").attempt(second);
            // Asked too late, on a busy machine, it has passed the silent one; it gives the lock back and tries again.
            scene.release("c", second);
        } while (answer instanceof Answer.Granted && ++tries < 20);

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Wait.class,
                        wait -> assertThat(wait.retryIn()).isLessThanOrEqualTo(Duration.ofMillis(400)));
    }

    @Test
    void claimsSilentForAMinuteAreForgotten() {
        scene.granted("a", holder);
        scene.waits("b", first);
        scene.waits("c", second);
        scene.silent(first, 60_000);
        scene.release("a", holder);

        assertThat(scene.queue(lock)).containsExactly("second");
        assertThat(scene.server.command("ZSCORE", scene.key(lock) + ":l", "first"))
                .isNull();
        assertThat(scene.server.command("HEXISTS", scene.key(lock) + ":s", "w:first"))
                .isEqualTo(0L);
    }

    @Test
    void aPlaceIsKnownAsLongAsWhatIsWrittenOfIt() {
        scene.granted("a", holder);
        scene.waits("b", first);
        scene.server.command("DEL", scene.key(lock));
        for (String part : List.of(":q", ":l")) {
            long left = (Long) scene.answer("PTTL", scene.key(lock) + part);
            long known = (Long) scene.answer("PTTL", scene.key(lock) + ":s");
            assertThat(left)
                    .as("the place " + part + " is known as long as what is written of it")
                    .isGreaterThan(known - 5000);
        }
    }

    @Test
    void anUnsubscribedKeeperIsPassedAndKeepsItsPlace() {
        scene.granted("a", holder);
        scene.waits("b", first);
        scene.queues("c", second);
        scene.store("b").close();
        Eventually.holds(() -> channels().noneMatch(channel -> channel.endsWith(":b")));
        scene.release("a", holder);

        told("c");
        assertThat(scene.queue(lock)).containsExactly("first", "second");
        scene.granted("c", second);
        // It asks, so it is there, and the next turn is its own.
        scene.waits("b", first);
        scene.waits("d", exclusive("third"));
        scene.release("c", second);
        assertThat(scene.queue(lock)).containsExactly("first", "third");
        scene.granted("b", first);
    }

    private Stream<String> channels() {
        return ((List<?>) scene.answer("PUBSUB", "CHANNELS")).stream().map(String::valueOf);
    }

    @Test
    void aFairClaimIsNotPassedOver() {
        Claim patient = fair("patient");
        scene.granted("a", holder);
        scene.queues("b", patient);
        scene.queues("c", second);
        scene.store("b").close();
        Eventually.holds(() -> channels().noneMatch(channel -> channel.endsWith(":b")));
        scene.release("a", holder);

        scene.waits("c", second);
        toldNothing("c");
        scene.granted("b", patient);
    }

    @Test
    void aFairClaimOfASilentKeeperIsPassedOver() {
        Claim patient = fair("patient");
        scene.granted("a", holder);
        scene.queues("b", patient);
        scene.queues("c", second);
        scene.silent(patient, SILENCE);
        scene.release("a", holder);

        told("c");
        scene.granted("c", second);
    }

    // A13: a stamp in the future would be respected until the clock has caught up.
    @Test
    void aServerClockThatIsSetBackLetsNoDeadClaimBarTheLock() {
        Claim dead = fair("dead");
        Claim alive = fair("alive");
        scene.granted("a", holder);
        scene.waits("b", dead);
        scene.waits("c", alive);
        // As the stamps look after the clock was set back by ten minutes.
        List.of(dead, alive).forEach(claim -> scene.silent(claim, -600_000));
        scene.release("a", holder);

        long now = scene.micros() / 1000;
        assertThat(scene.heard(dead)).as("taken for heard of now").isLessThanOrEqualTo(now);
        assertThat(scene.heard(alive)).isLessThanOrEqualTo(now);
        scene.waits("c", alive);
        assertThat(scene.queue(lock)).as("the order is kept").containsExactly("dead", "alive");
        scene.silent(dead, SILENCE);
        scene.granted("c", alive);
    }

    @Test
    void aDeadClaimIsFoundAfterTheClockWasSetBack() {
        Claim dead = fair("dead");
        scene.granted("a", holder);
        scene.waits("b", dead);
        scene.release("a", holder);
        scene.silent(dead, -600_000);

        scene.waits("c", fair("newcomer"));
        assertThat(scene.heard(dead)).isLessThanOrEqualTo(scene.micros() / 1000);
    }

    @Test
    void aPollStampsTheKeepersClaimsBehindIt() {
        Claim ghost = fair("ghost");
        Claim asked = fair("asked");
        Claim behind = fair("behind");
        Claim stranger = fair("stranger");
        scene.granted("a", holder);
        scene.waits("b", ghost);
        scene.waits("b", asked);
        scene.waits("c", stranger);
        scene.waits("b", behind);
        List.of(ghost, asked, behind, stranger).forEach(claim -> scene.silent(claim, SILENCE));

        long polled = scene.micros() / 1000;
        scene.waits("b", asked);
        scene.server.command("DEL", scene.key(lock));
        scene.granted("b", asked);
        scene.release("b", asked);
        assertThat(scene.heard(ghost)).isLessThan(polled);
        assertThat(scene.heard(stranger)).isLessThan(polled);
        assertThat(scene.heard(behind)).isGreaterThanOrEqualTo(polled);
    }

    @Test
    void aLateRequestOfAReleasedClaimGrantsNothing() {
        assertThat(scene.release("b", first, true)).isEqualTo(Release.Outcome.NOT_HELD);

        assertThat(scene.store("b").attempt(first))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.cause()).isEqualTo(Answer.Cause.RELEASED));
        assertThat(scene.server.command("EXISTS", scene.key(lock))).isEqualTo(0L);
        assertThat((Long) scene.answer("PTTL", scene.key(lock) + ":x:first")).isBetween(50_000L, 60_000L);
    }

    @Test
    void aLateRequestOfAClaimThatWaitedIsNotQueuedAgain() {
        scene.granted("a", holder);
        scene.waits("b", first);
        scene.release("b", first, true);

        assertThat(scene.store("b").attempt(first)).isInstanceOf(Answer.Refused.class);
        assertThat(scene.queue(lock)).isEmpty();
    }

    @Test
    void aTombstoneStandsAsLongAsTheLease() {
        Claim patient = claim(lock, "p", Mode.EXCLUSIVE, Queueing.PLAIN, Duration.ofMinutes(10), 1);
        scene.release("b", patient, true);

        assertThat((Long) scene.answer("PTTL", scene.key(lock) + ":x:p")).isBetween(590_000L, 600_000L);
    }

    @Test
    void noTombstoneStandsWhereNothingIsUnanswered() {
        scene.granted("a", holder);
        scene.waits("b", first);
        scene.release("b", first);
        scene.release("a", holder);

        assertThat((List<?>) scene.answer("KEYS", "*:x:*")).isEmpty();
    }

    @Test
    void nobodyReleasesRenewsNarrowsOrRaisesWhatAnotherHolds() {
        scene.granted("a", holder);
        Claim stranger = exclusive("stranger");

        assertThat(scene.release("b", stranger)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(scene.release("b", stranger, true)).isEqualTo(Release.Outcome.NOT_HELD);
        assertThat(scene.store("b").renew(List.of(stranger), StoreScene.TIMEOUT))
                .hasOnlyElementsOfType(Renewal.Gone.class);
        assertThat(StoreAbility.of(scene.store("b"), NarrowingStore.class).narrow(stranger, Mode.SHARED))
                .isFalse();
        assertThat(StoreAbility.of(scene.store("b"), MemberStore.class)
                        .raise(stranger, Long.MAX_VALUE / 1024, StoreScene.TIMEOUT))
                .isInstanceOf(Renewal.Gone.class);
        assertThat(scene.server.command("GET", scene.key(lock))).isEqualTo("holder");
    }
}
