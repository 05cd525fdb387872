package io.lockkeeper.redis;

import static io.lockkeeper.redis.StoreScene.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.MemberStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fencing tokens: a hybrid of counter and clock that depends on neither alone. */
class TokensTest {

    private final StoreScene scene = new StoreScene();
    private final Resource lock = StoreScene.lock();
    private int ids;

    @AfterEach
    void end() {
        scene.close();
    }

    private Claim next(int tokens) {
        return claim(lock, "c" + ++ids, Mode.EXCLUSIVE, Queueing.PLAIN, StoreScene.LEASE, tokens);
    }

    private Answer.Granted grantAndRelease(int tokens) {
        Claim claim = next(tokens);
        Answer.Granted granted = scene.granted("a", claim);
        scene.release("a", claim);
        return granted;
    }

    @Test
    void theCounterNeverRunsAheadOfTheClock() {
        // Were a block given whole each time, thousands of them would take the counter seconds into the future.
        long last = 0;
        for (int i = 0; i < 2000; i++) {
            Answer.Granted granted = grantAndRelease(1000);
            assertThat(granted.token()).isGreaterThan(last);
            last = granted.token() + granted.tokens() - 1;
        }

        assertThat(last).isLessThan(scene.micros() + 1000);
    }

    /** It is not kept anew at each grant, but surely for a day after the last. */
    @Test
    void whatIsKnownIsKeptForADayAfterTheLastGrant() {
        long day = Duration.ofDays(1).toMillis();
        String known = scene.key(lock) + ":s";
        grantAndRelease(1);
        assertThat((Long) scene.answer("PTTL", known)).isGreaterThan(day);

        // As if the last grant were of an hour ago.
        scene.server.command("HSET", known, "token", Long.toString(scene.micros() - 3_600_000_000L));
        scene.server.command("PEXPIRE", known, Long.toString(day));
        grantAndRelease(1);
        assertThat((Long) scene.answer("PTTL", known)).isGreaterThan(day);

        scene.granted("a", claim(lock, "long", Mode.EXCLUSIVE, Queueing.PLAIN, Duration.ofHours(5), 1));
        assertThat((Long) scene.answer("PTTL", known))
                .isGreaterThan(day + Duration.ofHours(5).toMillis());
    }

    @Test
    void aBlockIsNoLongerThanTheTimeSinceTheLastToken() {
        grantAndRelease(1);
        scene.server.command("HSET", scene.key(lock) + ":s", "token", Long.toString(scene.micros() + 60_000_000));

        assertThat(grantAndRelease(64).tokens()).isEqualTo(1);
    }

    @Test
    void aBlockOfTokensIsTheClaimsAlone() {
        Answer.Granted block = grantAndRelease(64);
        Answer.Granted after = grantAndRelease(1);

        assertThat(block.tokens()).isEqualTo(64);
        assertThat(after.token()).isGreaterThan(block.token() + 63);
    }

    @Test
    void tokensGrowWhenTheClockIsSetBack() {
        grantAndRelease(1);
        long ahead = scene.micros() + 3_600_000_000L;
        scene.server.command("HSET", scene.key(lock) + ":s", "token", Long.toString(ahead));

        assertThat(grantAndRelease(1).token()).isEqualTo(ahead + 1);
        assertThat(grantAndRelease(1).token()).isEqualTo(ahead + 2);
    }

    @Test
    void tokensGrowThroughFlushAndRestart() {
        long first = grantAndRelease(64).token() + 63;
        scene.server.command("FLUSHALL");
        long second = grantAndRelease(64).token();
        scene.restart();
        long third = grantAndRelease(1).token();

        assertThat(second).isGreaterThan(first);
        assertThat(third).isGreaterThan(second + 63);
    }

    @Test
    void tokensGrowAfterALostHolder() {
        Claim first = next(1);
        long token = scene.granted("a", first).token();
        scene.server.command("DEL", scene.key(lock) + ":s");

        long anew = scene.granted("a", first).token();
        assertThat(anew).isGreaterThan(token);
        assertThat(StoreAbility.of(scene.store("b"), ForceReleaseStore.class).forceRelease(lock))
                .isTrue();
        assertThat(scene.granted("b", next(1)).token()).isGreaterThan(anew);
    }

    @Test
    void numbersBeyond2To31AreNotRoundedOrWrittenAsExponents() {
        long odd = 9_007_199_254_740_001L;
        grantAndRelease(1);
        scene.server.command("HSET", scene.key(lock) + ":s", "token", Long.toString(odd));
        Claim claim = next(1);

        assertThat(scene.granted("a", claim).token()).isEqualTo(odd + 1);
        assertThat(scene.granted("a", claim).token()).as("asked again").isEqualTo(odd + 1);
        assertThat(scene.answer("HGET", scene.key(lock) + ":s", "token")).isEqualTo(Long.toString(odd + 1));
        assertThat(scene.store("b").inspect(lock).orElseThrow().grants().get(0).token())
                .isEqualTo(odd + 1);
        assertThat(StoreAbility.of(scene.store("a"), MemberStore.class).raise(claim, odd + 5, StoreScene.TIMEOUT))
                .isInstanceOf(Renewal.Kept.class);
        assertThat(scene.answer("HGET", scene.key(lock) + ":s", "token")).isEqualTo(Long.toString(odd + 5));
        scene.release("a", claim);

        Claim reader = claim(lock, "reader", Mode.SHARED, Queueing.PLAIN);
        assertThat(scene.granted("a", reader).token()).isEqualTo(odd + 6);
        assertThat(scene.granted("a", reader).token()).as("asked again").isEqualTo(odd + 6);
        assertThat(StoreAbility.of(scene.store("a"), MemberStore.class).raise(reader, odd + 8, StoreScene.TIMEOUT))
                .isInstanceOf(Renewal.Kept.class);
        assertThat(scene.granted("a", reader).token()).isEqualTo(odd + 8);
    }

    @Test
    void leasesBeyond2To31MillisecondsAreKeptAsTheyAre() {
        long days = 100;
        Claim alone = claim(lock, "long", Mode.EXCLUSIVE, Queueing.PLAIN, StoreScene.LEASE.plusDays(days), 1);
        Resource semaphore = StoreScene.semaphore();
        Claim permit = claim(
                semaphore, "p", Mode.permits(1, 2_000_000_000), Queueing.PLAIN, StoreScene.LEASE.plusDays(days), 1);
        scene.granted("a", alone);
        scene.granted("a", permit);

        assertThat(scene.store("a").inspect(lock).orElseThrow().grants().get(0).remaining())
                .isGreaterThan(Duration.ofDays(days));
        assertThat(scene.store("a")
                        .inspect(semaphore)
                        .orElseThrow()
                        .grants()
                        .get(0)
                        .remaining())
                .isGreaterThan(Duration.ofDays(days));
        assertThat(scene.store("a").inspect(semaphore).orElseThrow().permits()).isEqualTo(2_000_000_000);
    }
}
