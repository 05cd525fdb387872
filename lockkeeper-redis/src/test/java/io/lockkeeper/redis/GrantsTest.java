package io.lockkeeper.redis;

import static io.lockkeeper.redis.StoreScene.TIMEOUT;
import static io.lockkeeper.redis.StoreScene.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.MemberStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Grants in the server: they end with their lease and not before, and leave nothing. An end is made by setting it back. */
class GrantsTest {

    private final StoreScene scene = new StoreScene();
    private final Resource lock = StoreScene.lock();
    private final Resource semaphore = StoreScene.semaphore();
    private final Claim writer = claim(lock, "writer", Mode.EXCLUSIVE, Queueing.PLAIN);
    private final Claim reader = claim(lock, "reader", Mode.SHARED, Queueing.PLAIN);
    private final Claim two = claim(semaphore, "two", Mode.permits(2, 3), Queueing.PLAIN);
    private final Claim three = claim(semaphore, "three", Mode.permits(3, 3), Queueing.PLAIN);

    @AfterEach
    void end() {
        scene.close();
    }

    private Renewal renew(Claim claim) {
        return scene.store("a").renew(List.of(claim), TIMEOUT).get(0);
    }

    /** Its lease has this many milliseconds left. */
    private void leave(Claim claim, long millis) {
        String end = Long.toString(scene.micros() / 1000 + millis);
        scene.server.command("ZADD", scene.key(claim.resource()) + ":g", "XX", end, claim.id());
    }

    private Duration remaining(Resource resource) {
        return scene.store("a").inspect(resource).orElseThrow().grants().get(0).remaining();
    }

    @Test
    void aReaderWhoseLeaseEndedIsInNobodysWay() {
        scene.granted("a", reader);
        scene.waits("b", writer);
        leave(reader, 0);

        assertThat(scene.store("a").inspect(lock).orElseThrow().grants()).isEmpty();
        scene.granted("b", writer);
        assertThat(renew(reader)).isEqualTo(new Renewal.Gone(Loss.Reason.TAKEN));
        assertThat(scene.server.command("HEXISTS", scene.key(lock) + ":s", "g:reader"))
                .isEqualTo(0L);
    }

    @Test
    void permitsWhoseLeaseEndedAreFree() {
        scene.granted("a", two);
        scene.waits("b", three);
        leave(two, 0);

        assertThat(renew(two)).isEqualTo(new Renewal.Gone(Loss.Reason.EXPIRED));
        Eventually.holds(() -> scene.keeper("b").signals.contains(semaphore));
        scene.granted("b", three);
    }

    @Test
    void renewingSetsTheWholeLeaseAgain() {
        scene.granted("a", reader);
        scene.granted("a", two);
        leave(reader, 15_000);
        leave(two, 15_000);

        assertThat(renew(reader)).isEqualTo(new Renewal.Kept(reader.lease(), false));
        assertThat(renew(two)).isEqualTo(new Renewal.Kept(two.lease(), false));
        assertThat(remaining(lock)).isGreaterThan(Duration.ofSeconds(20));
        assertThat(remaining(semaphore)).isGreaterThan(Duration.ofSeconds(20));
        scene.release("a", reader);
        scene.granted("a", writer);
        scene.server.command("PEXPIRE", scene.key(lock), "15000");
        assertThat(renew(writer)).isEqualTo(new Renewal.Kept(writer.lease(), false));
        assertThat(remaining(lock)).isGreaterThan(Duration.ofSeconds(20));
    }

    @Test
    void narrowingKeepsWhatIsLeftOfTheLease() {
        scene.granted("a", writer);
        scene.server.command("PEXPIRE", scene.key(lock), "15000");

        assertThat(StoreAbility.of(scene.store("a"), NarrowingStore.class).narrow(writer, Mode.SHARED))
                .isTrue();
        assertThat(remaining(lock)).isLessThanOrEqualTo(Duration.ofSeconds(15));
        scene.granted("b", reader);
    }

    @Test
    void aWaiterIsToldWhenTheNextLeaseEnds() {
        assertThat(retryIn(Mode.SHARED, Queueing.PLAIN)).isLessThanOrEqualTo(Duration.ofMillis(400));
        assertThat(retryIn(Mode.EXCLUSIVE, Queueing.NEVER)).isLessThanOrEqualTo(Duration.ofMillis(401));
    }

    /** What is told about a lock that is held for 400 ms yet. Who asks later than that gets it: then once more, on another. */
    private Duration retryIn(Mode held, Queueing queueing) {
        scene.store("b");
        Answer answer = null;
        for (int i = 0; i < 20 && !(answer instanceof Answer.Wait); i++) {
            Claim holder = claim(StoreScene.lock(), "holder", held, Queueing.PLAIN);
            scene.granted("a", holder);
            if (held == Mode.SHARED) {
                leave(holder, 400);
            } else {
                scene.server.command("PEXPIRE", scene.key(holder.resource()), "400");
            }
            answer = scene.store("b").attempt(claim(holder.resource(), "late", Mode.EXCLUSIVE, queueing));
        }
        assertThat(answer).isInstanceOf(Answer.Wait.class);
        return ((Answer.Wait) answer).retryIn();
    }

    @Test
    void morePermitsThanThereAreAreRefusedWithASentence() {
        Claim many = claim(semaphore, "many", Mode.permits(4, 3), Queueing.PLAIN);

        assertThat(scene.store("a").attempt(many))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.message())
                                .contains("has 3 permits")
                                .contains("4 at once can never be had"));
        assertThat(scene.queue(semaphore)).isEmpty();
        scene.granted("a", three);
    }

    @Test
    void theKeeperOfAClaimThatAnotherEndsIsTold() {
        scene.granted("a", writer);
        assertThat(scene.release("b", writer, true)).isEqualTo(Release.Outcome.RELEASED);
        Eventually.holds(() -> scene.keeper("a").signals.contains(lock));
        scene.keeper("a").signals.clear();

        scene.granted("a", reader);
        assertThat(scene.release("b", reader, true)).isEqualTo(Release.Outcome.RELEASED);
        Eventually.holds(() -> scene.keeper("a").signals.contains(lock));
    }

    @Test
    void aForcedReleaseIsReportedAsSuch() {
        scene.granted("a", reader);
        scene.waits("b", writer);
        assertThat(StoreAbility.of(scene.store("c"), ForceReleaseStore.class).forceRelease(lock))
                .isTrue();

        Eventually.holds(() -> scene.keeper("a").signals.contains(lock));
        Eventually.holds(() -> scene.keeper("b").signals.contains(lock));
        assertThat(renew(reader)).isEqualTo(new Renewal.Gone(Loss.Reason.FORCED));
        scene.granted("b", writer);
        assertThat(StoreAbility.of(scene.store("c"), ForceReleaseStore.class).forceRelease(lock))
                .isTrue();
        assertThat(scene.store("b").renew(List.of(writer), TIMEOUT).get(0))
                .isEqualTo(new Renewal.Gone(Loss.Reason.FORCED));
        assertThat(StoreAbility.of(scene.store("c"), ForceReleaseStore.class).forceRelease(lock))
                .isFalse();
    }

    @Test
    void aRenewalSaysWhetherOtherKeepersThatLiveWait() {
        scene.granted("a", writer);
        Claim mine = claim(lock, "mine", Mode.EXCLUSIVE, Queueing.PLAIN);
        Claim theirs = claim(lock, "theirs", Mode.EXCLUSIVE, Queueing.PLAIN);
        scene.waits("a", mine);
        assertThat(renew(writer)).isEqualTo(new Renewal.Kept(writer.lease(), false));
        scene.waits("b", theirs);
        assertThat(renew(writer)).isEqualTo(new Renewal.Kept(writer.lease(), true));
        scene.silent(theirs, StoreScene.SILENCE);
        assertThat(renew(writer)).isEqualTo(new Renewal.Kept(writer.lease(), false));
        assertThat(scene.store("a").inspect(lock).orElseThrow().waiting())
                .as("only those who live are counted")
                .isEqualTo(1);
    }

    @Test
    void aTokenIsRaisedOnlyBeyondAllOthers() {
        scene.granted("a", reader);
        Claim other = claim(lock, "other", Mode.SHARED, Queueing.PLAIN);
        long newest = scene.granted("b", other).token();
        // A minute ahead of the clock, which would hide a counter that went back.
        long ahead = newest + 60_000_000;

        assertThat(StoreAbility.of(scene.store("a"), MemberStore.class).raise(reader, newest, TIMEOUT))
                .isEqualTo(new Renewal.Gone(Loss.Reason.TAKEN));
        assertThat(StoreAbility.of(scene.store("a"), MemberStore.class).raise(reader, ahead, TIMEOUT))
                .isInstanceOf(Renewal.Kept.class);
        assertThat(StoreAbility.of(scene.store("a"), MemberStore.class).raise(reader, ahead, TIMEOUT))
                .as("twice is once")
                .isInstanceOf(Renewal.Kept.class);
        assertThat(StoreAbility.of(scene.store("b"), MemberStore.class).raise(other, newest, TIMEOUT))
                .as("its own")
                .isInstanceOf(Renewal.Kept.class);
        assertThat(scene.granted("b", claim(lock, "third", Mode.SHARED, Queueing.PLAIN))
                        .token())
                .isEqualTo(ahead + 1);
    }

    @Test
    void narrowingNeverWidens() {
        Claim one = claim(semaphore, "one", Mode.permits(1, 3), Queueing.PLAIN);
        scene.granted("a", one);

        assertThat(StoreAbility.of(scene.store("a"), NarrowingStore.class).narrow(one, Mode.permits(3, 3)))
                .isTrue();
        scene.granted("b", two);
    }

    @Test
    void everyKeyOfAResourceHasAnExpiry() {
        scene.granted("a", writer);
        expiring();
        scene.waits("b", reader);
        expiring();
        scene.release("a", writer);
        scene.granted("b", reader);
        scene.granted("a", two);
        expiring();
        renew(two);
        StoreAbility.of(scene.store("a"), SemaphoreStore.class).resize(semaphore, 5);
        StoreAbility.of(scene.store("a"), NarrowingStore.class).narrow(two, Mode.permits(1, 5));
        scene.release("a", writer, true);
        expiring();
        StoreAbility.of(scene.store("a"), ForceReleaseStore.class).forceRelease(semaphore);
        StoreAbility.of(scene.store("a"), SemaphoreStore.class).resize(StoreScene.semaphore(), 5);
        expiring();
    }

    @Test
    void aSizeThatWasSetIsKept() {
        Claim claim = claim(semaphore, "one", Mode.permits(1, 0), Queueing.PLAIN);
        Claim waiting = claim(semaphore, "many", Mode.permits(4, 0), Queueing.PLAIN);
        scene.granted("a", two);
        StoreAbility.of(scene.store("a"), SizeStore.class).set(semaphore, 3);
        scene.granted("a", claim);
        scene.waits("b", waiting);
        renew(claim);
        StoreAbility.of(scene.store("a"), NarrowingStore.class).narrow(claim, Mode.permits(1, 0));
        for (String part : List.of(":s", ":g", ":q", ":l")) {
            assertThat((Long) scene.answer("PTTL", scene.key(semaphore) + part))
                    .as(part)
                    .isGreaterThan(Duration.ofDays(36_000).toMillis());
        }

        StoreAbility.of(scene.store("a"), SizeStore.class).clear(semaphore);

        for (String part : List.of(":s", ":g", ":q", ":l")) {
            assertThat((Long) scene.answer("PTTL", scene.key(semaphore) + part))
                    .as(part)
                    .isBetween(Duration.ofDays(1).toMillis(), Duration.ofDays(2).toMillis());
        }
    }

    private void expiring() {
        for (Object key : (List<?>) scene.answer("KEYS", "*:{*:*}*")) {
            assertThat((Long) scene.answer("PTTL", String.valueOf(key)))
                    .as(String.valueOf(key))
                    .isPositive();
        }
    }

    /** A lease that is longer than an hour is always in the part of it in which that is done. */
    @Test
    void aRenewalKeepsWhatIsKnownForADay() {
        Resource lock = StoreScene.lock();
        Claim held = StoreScene.claim(lock, "long", Mode.EXCLUSIVE, Claim.Queueing.PLAIN, Duration.ofHours(2), 1);
        scene.granted("a", held);
        scene.answer("PEXPIRE", scene.key(lock) + ":s", "60000");
        scene.answer("PEXPIRE", scene.key(lock), "60000");

        assertThat(scene.store("a").renew(List.of(held), StoreScene.TIMEOUT))
                .containsExactly(new Renewal.Kept(held.lease(), false));

        assertThat((Long) scene.answer("PTTL", scene.key(lock) + ":s"))
                .isGreaterThan(Duration.ofHours(26).toMillis());
        assertThat((Long) scene.answer("PTTL", scene.key(lock)))
                .isGreaterThan(Duration.ofHours(1).toMillis());
    }
}
