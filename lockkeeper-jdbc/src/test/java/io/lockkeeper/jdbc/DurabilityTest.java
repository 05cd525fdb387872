package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.sql.PostgresServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What PostgreSQL has on disk when it answers. Its log is written every ten seconds where nobody waits for that. */
@Timeout(240)
final class DurabilityTest {

    private static final int TRIES = 20;
    private static final int MOST_CRASHES = 5;

    /** Longer than a crash and a restart take, for the most part; if one takes longer, there is another. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(12);

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.options().set("wal_writer_delay", "10s").start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static long written() {
        return server.admin().number("SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint");
    }

    /** A request that is to be looked at. */
    private interface Request {
        void send();
    }

    /** Whether the log has been written since this request was sent. By chance it may have been, without anybody waiting for it. */
    private static boolean writes(Request request) {
        long before = written();
        request.send();
        return written() > before;
    }

    private static SqlScene scene(boolean durableReleases) {
        SqlScene scene = SqlScene.on(Place.POSTGRES, server);
        scene.use(scene.byUrl().durableReleases(durableReleases).build());
        return scene;
    }

    @Test
    void aReleaseDoesNotWaitForTheDiskAndAllElseDoes() throws Exception {
        try (SqlScene scene = scene(false)) {
            int quick = 0;
            int quickInLine = 0;
            for (int i = 0; i < TRIES; i++) {
                Claim claim = SqlScene.exclusive(SqlScene.lock());
                scene.granted("a", claim);
                scene.release("a", claim);
                Claim again = SqlScene.exclusive(claim.resource());
                assertThat(writes(() -> scene.granted("a", again)))
                        .as("a grant")
                        .isTrue();
                assertThat(writes(() -> scene.renew("a", again)))
                        .as("a renewal")
                        .isTrue();
                quick += writes(() -> scene.release("a", again)) ? 0 : 1;

                Claim reader = SqlScene.claim(claim.resource(), Mode.SHARED, Claim.Queueing.NEVER);
                Claim other = SqlScene.claim(claim.resource(), Mode.SHARED, Claim.Queueing.NEVER);
                scene.granted("a", other);
                assertThat(writes(() -> scene.granted("a", reader)))
                        .as("the grant of a reader")
                        .isTrue();
                assertThat(writes(() -> scene.renew("a", reader)))
                        .as("the renewal of a reader")
                        .isTrue();
                quickInLine += writes(() -> scene.release("a", reader)) ? 0 : 1;
                scene.release("a", other);
            }
            assertThat(quick).as("releases that waited for nothing").isPositive();
            assertThat(quickInLine)
                    .as("releases of readers that waited for nothing")
                    .isPositive();
        }
    }

    @Test
    void aReleaseOfALongLeaseOrWithATombstoneOrAsItIsSetWaitsForTheDisk() throws Exception {
        try (SqlScene scene = scene(false);
                SqlScene durable = scene(true)) {
            for (int i = 0; i < TRIES; i++) {
                Claim lasting = SqlScene.exclusive(SqlScene.lock()).withLease(Duration.ofSeconds(61));
                scene.granted("a", lasting);
                assertThat(writes(() -> scene.release("a", lasting)))
                        .as("the release of a long lease")
                        .isTrue();
                Claim unanswered = SqlScene.exclusive(SqlScene.lock());
                scene.granted("a", unanswered);
                assertThat(writes(() -> scene.release("a", unanswered, true)))
                        .as("a release that leaves a tombstone")
                        .isTrue();
                Claim set = SqlScene.exclusive(SqlScene.lock());
                durable.granted("a", set);
                assertThat(writes(() -> durable.release("a", set)))
                        .as("a release that is set to be durable")
                        .isTrue();
            }
        }
    }

    @Test
    void aCrashKeepsTheGrantThatFollowedAReleaseAndTokensGoOn() throws Exception {
        try (SqlScene scene = scene(false)) {
            Claim first = SqlScene.exclusive(SqlScene.lock());
            Claim next = SqlScene.exclusive(first.resource());
            Claim last = SqlScene.exclusive(SqlScene.lock());
            scene.granted("a", first);
            scene.release("a", first);
            long token = scene.granted("b", next).token();
            long lastToken = scene.granted("a", last).token();
            assertThat(scene.release("a", last)).isEqualTo(Release.Outcome.RELEASED);
            server.kill();
            server.restart();

            // Stores with new connections.
            scene.use(scene.byUrl().build());
            assertThat(scene.token(next.resource())).isEqualTo(token);
            assertThat(scene.renew("c", next)).isInstanceOf(Renewal.Kept.class);
            scene.refused("d", SqlScene.exclusive(first.resource()));
            Claim heir = SqlScene.exclusive(last.resource());
            if (scene.store("c").attempt(heir) instanceof Answer.Wait) {
                // The release was forgotten: it is as if the holder had crashed.
                assertThat(scene.token(last.resource())).isEqualTo(lastToken);
                assertThat(scene.release("d", last, true)).isEqualTo(Release.Outcome.RELEASED);
            }
            assertThat(scene.granted("c", heir).token()).isGreaterThan(lastToken);
        }
    }

    /**
     * Releases that a crash has forgotten, in columns and in a line: each lock is its last holder's again, with the token that it had,
     * and nobody else's. Asked for once more the release is executed, otherwise the lease ends. Tokens go on upwards in both cases.
     */
    @Test
    void aReleaseThatACrashForgotLeavesTheGrantAsItWasUntilItsLeaseEnds() throws Exception {
        try (SqlScene scene = scene(false)) {
            int forgotten = 0;
            int forgottenInLine = 0;
            for (int crash = 0; crash < MOST_CRASHES && (forgotten == 0 || forgottenInLine == 0); crash++) {
                Map<Claim, Long> released = released(scene, "before" + crash);
                server.kill();
                server.restart();
                // Stores with new connections.
                scene.use(scene.byUrl().build());
                String keeper = "after" + crash;
                int seen = 0;
                // First those that are released once more, while their leases last; then those whose leases end.
                for (Map.Entry<Claim, Long> each : released.entrySet()) {
                    Claim claim = each.getKey();
                    boolean again = seen++ < released.size() / 2;
                    long token = scene.token(claim.resource());
                    if (token != 0) {
                        forgotten += claim.mode() == Mode.SHARED ? 0 : 1;
                        forgottenInLine += claim.mode() == Mode.SHARED ? 1 : 0;
                        assertThat(token)
                                .as("the token of the holder whose release was forgotten")
                                .isEqualTo(each.getValue());
                        if (again) {
                            scene.release(keeper, claim);
                            assertThat(scene.token(claim.resource())).isZero();
                        }
                    }
                    Claim heir = claim.mode() == Mode.SHARED
                            ? SqlScene.claim(claim.resource(), Mode.EXCLUSIVE, Claim.Queueing.NEVER)
                            : SqlScene.exclusive(claim.resource());
                    TestTimeouts.until(
                            "the lock is free", () -> scene.store(keeper).attempt(heir) instanceof Answer.Granted);
                    assertThat(scene.granted(keeper, heir).token())
                            .as("the token of the next holder")
                            .isGreaterThan(each.getValue());
                }
            }
            assertThat(forgotten).as("releases that a crash forgot").isPositive();
            assertThat(forgottenInLine)
                    .as("releases of readers that a crash forgot")
                    .isPositive();
        }
    }

    /** Claims that were held and released just now, with their tokens. */
    private static Map<Claim, Long> released(SqlScene scene, String keeper) throws Exception {
        Map<Claim, Long> tokens = new LinkedHashMap<>();
        for (int i = 0; i < 4; i++) {
            Claim claim = SqlScene.exclusive(SqlScene.lock()).withLease(SHORT_LEASE);
            Claim reader = SqlScene.claim(SqlScene.lock(), Mode.SHARED, Claim.Queueing.NEVER)
                    .withLease(SHORT_LEASE);
            tokens.put(claim, scene.granted(keeper, claim).token());
            tokens.put(reader, scene.granted(keeper, reader).token());
        }
        for (Claim claim : tokens.keySet()) {
            assertThat(scene.release(keeper, claim)).isEqualTo(Release.Outcome.RELEASED);
        }
        return tokens;
    }
}
