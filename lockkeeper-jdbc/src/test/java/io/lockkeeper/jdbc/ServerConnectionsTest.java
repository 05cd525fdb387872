package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections to servers: cut between execution and reply, ended by an operator, made by another driver, and what waiting costs. */
@Timeout(240)
class ServerConnectionsTest {

    private static SqlServer start(Place place) {
        return place == Place.POSTGRES ? PostgresServer.start() : Databases.newMariaDb();
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void aRequestWhoseReplyWasCutOffIsGrantedOnceWithTheSameToken(Place place) throws Exception {
        try (SqlScene scene = place.scene();
                FaultProxy proxy = FaultProxy.to(
                        place == Place.POSTGRES
                                ? Databases.postgres().port()
                                : Databases.mariaDb().port())) {
            String url = scene.user.fullUrl().replaceFirst("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + proxy.port());
            scene.use(scene.builder().url(url).notifications(false).build());
            for (int round = 0; round < 5; round++) {
                Claim claim = SqlScene.exclusive(SqlScene.lock());
                // The row is there and the connection is warm, so that the next request is one statement.
                scene.granted("a", claim);
                scene.release("a", claim);
                Claim cut = SqlScene.exclusive(claim.resource());
                proxy.toClient(FaultProxy.Rule.reset());
                try {
                    scene.store("a").attempt(cut);
                    throw new AssertionError("The reply came through");
                } catch (LockkeeperException expected) {
                    proxy.heal();
                }
                long[] written = {0};
                TestTimeouts.until("the server has executed it", () -> {
                    written[0] = scene.token(cut.resource());
                    return written[0] != 0;
                });
                assertThat(scene.granted("a", cut.withRepeat(true)).token()).isEqualTo(written[0]);
                scene.refused("b", SqlScene.exclusive(cut.resource()));
                assertThat(scene.release("a", cut)).isEqualTo(Release.Outcome.RELEASED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void connectionsThatAreEndedAtAnyPointBreakNothing(Place place) throws Exception {
        try (SqlServer server = start(place);
                SqlScene scene = SqlScene.on(place, server);
                Lockkeeper one = keeper(scene);
                Lockkeeper two = keeper(scene)) {
            List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger overlaps = new AtomicInteger();
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            AtomicInteger done = new AtomicInteger();
            AtomicBoolean enough = new AtomicBoolean();
            for (int i = 0; i < 4; i++) {
                Lockkeeper keeper = i % 2 == 0 ? one : two;
                CompletableFuture<Void> worker = new CompletableFuture<>();
                workers.add(worker);
                new Thread(() -> {
                            try {
                                while (!enough.get()) {
                                    try (ExclusiveHold hold = keeper.lock("a").acquire()) {
                                        overlaps.addAndGet(inside.incrementAndGet() - 1);
                                        tokens.add(hold.token());
                                        inside.decrementAndGet();
                                    }
                                    done.incrementAndGet();
                                }
                                worker.complete(null);
                            } catch (InterruptedException | RuntimeException e) {
                                worker.completeExceptionally(e);
                                enough.set(true);
                            }
                        })
                        .start();
            }
            int ended = 0;
            for (int round = 0; round < 20 && !enough.get(); round++) {
                ended += server.terminateConnections((place == Place.POSTGRES ? "usename" : "user") + " = 'app'");
                int seen = done.get();
                TestTimeouts.until("work goes on", () -> done.get() > seen + 10 || enough.get());
            }
            enough.set(true);
            for (CompletableFuture<Void> worker : workers) {
                worker.get(120, TimeUnit.SECONDS);
            }
            assertThat(ended).as("connections that were ended").isGreaterThan(5);
            assertThat(overlaps.get()).isZero();
            assertThat(tokens).isSorted().doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(200);
        }
    }

    private static Lockkeeper keeper(SqlScene scene) {
        return Lockkeeper.builder()
                .lease(Duration.ofMinutes(1))
                .commandTimeout(Duration.ofSeconds(20))
                .open(scene.with(scene.byUrl().build()));
    }

    @Test
    void aListenerThatIsLostComesBackAndWaitersPollMeanwhile() throws Exception {
        try (SqlServer server = start(Place.POSTGRES);
                SqlScene scene = SqlScene.on(Place.POSTGRES, server);
                JdbcBackend backend = scene.byUrl().build()) {
            TestKeeper recorder = new TestKeeper("recorder");
            backend.open(recorder);
            TestTimeouts.until("it listens", () -> recorder.signalledAll.get() == 1);
            for (int round = 2; round < 5; round++) {
                int wanted = round;
                assertThat(server.terminateConnections("query LIKE 'LISTEN%' OR usename = 'app'"))
                        .isPositive();
                Claim claim = SqlScene.exclusive(SqlScene.lock());
                TestTimeouts.until("locks are granted again", () -> {
                    try {
                        return scene.granted("a", claim).token() > 0;
                    } catch (LockkeeperException unanswered) {
                        return false;
                    }
                });
                TestTimeouts.until(
                        "it listens again, and all is asked for again", () -> recorder.signalledAll.get() >= wanted);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void anIdleWaiterCostsAFewStatementsASecond(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            WatchedDataSource source = new WatchedDataSource(scene.user.dataSource());
            Claim held = SqlScene.exclusive(SqlScene.lock());
            try (Lockkeeper keeper = Lockkeeper.builder()
                    .lease(Duration.ofMinutes(1))
                    .open(scene.on(source).build())) {
                scene.granted("a", held);
                List<CompletableFuture<ExclusiveHold>> waiters = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    waiters.add(keeper.lock(held.resource().name()).acquireAsync());
                }
                // The first polls are close to each other.
                pass(Duration.ofSeconds(2));
                source.executed();
                long start = System.nanoTime();
                pass(Duration.ofSeconds(4));
                List<String> statements = source.executed().stream()
                        .filter(text -> !text.contains("LOCK_TIMEOUT") && !text.startsWith("PRAGMA"))
                        .toList();
                double seconds = (System.nanoTime() - start) / 1e9;
                assertThat(statements.size() / seconds)
                        .as("statements a second of 20 waiters: %s", statements)
                        .isLessThan(8);
                scene.release("a", held);
                for (CompletableFuture<ExclusiveHold> waiter : waiters) {
                    waiter.get(60, TimeUnit.SECONDS).close();
                }
            }
        }
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void mySqlsDriverCountsRowsInEitherWay(String useAffectedRows) throws Exception {
        try (SqlScene scene = Place.MARIADB.scene()) {
            String url = scene.user.with("useAffectedRows", useAffectedRows).fullUrl();
            scene.use(scene.builder()
                    .url(url.replaceFirst("jdbc:mariadb:", "jdbc:mysql:"))
                    .build());
            Claim claim = SqlScene.exclusive(SqlScene.lock()).withTokens(20);
            long token = scene.granted("a", claim).token();
            assertThat(scene.granted("a", claim.withRepeat(true)).token()).isEqualTo(token);
            assertThat(scene.token(claim.resource())).isEqualTo(token);
            Claim fair = SqlScene.claim(claim.resource(), io.lockkeeper.spi.Mode.EXCLUSIVE, Claim.Queueing.FAIR);
            scene.refused("b", fair);
            assertThat(scene.renew("a", claim)).isInstanceOf(Renewal.Kept.class);
            assertThat(scene.release("a", claim)).isEqualTo(Release.Outcome.RELEASED);
            assertThat(scene.release("a", claim)).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(scene.granted("b", fair).token()).isGreaterThan(token);
        }
    }
}
