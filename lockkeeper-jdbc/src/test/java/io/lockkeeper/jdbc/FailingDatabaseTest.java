package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.contract.AboutTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database, driver or pool that fails: at which point, with what, how often. */
@Timeout(300)
class FailingDatabaseTest {

    /** What drivers throw that nobody expects. */
    private static final class DriverError extends Error {
        private static final long serialVersionUID = 1;
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void tryAcquireEndsInTimeDuringErrorsWithoutABusyLoop(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            WatchedDataSource source = new WatchedDataSource(scene.user.dataSource());
            try (Lockkeeper keeper = Lockkeeper.builder()
                    .open(scene.on(source).notifications(false).build())) {
                keeper.lock("a").acquire().close();
                AtomicInteger tries = new AtomicInteger();
                source.fault((when, method, text) -> {
                    if (method.equals("getConnection")) {
                        tries.incrementAndGet();
                        throw new SQLException("down", "08006");
                    }
                });
                long start = System.nanoTime();
                assertThatThrownBy(() -> keeper.lock("a").tryAcquire(Duration.ofMillis(200)))
                        .isInstanceOf(StoreUnavailableException.class);
                long took = System.nanoTime() - start;
                assertThat(tries.get()).isPositive();
                assertThat(Duration.ofNanos(took)).isLessThan(Duration.ofSeconds(20));
                assertThat(tries.get()).as("tries in %s ms", took / 1_000_000).isLessThanOrEqualTo((int)
                        (20 + took / 5_000_000));

                AtomicInteger executions = new AtomicInteger();
                source.fault((when, method, text) -> {
                    if (method.startsWith("execute") && when == WatchedDataSource.When.BEFORE) {
                        executions.incrementAndGet();
                        throw new SQLException("no", "XX000");
                    }
                });
                start = System.nanoTime();
                assertThatThrownBy(() -> keeper.lock("a").tryAcquire(Duration.ofMillis(200)))
                        .isInstanceOf(StoreUnavailableException.class);
                took = System.nanoTime() - start;
                assertThat(executions.get()).isPositive().isLessThanOrEqualTo((int) (20 + took / 5_000_000));
                source.heal();
                keeper.lock("a").acquire().close();
            }
        }
    }

    @AboutTime
    @ParameterizedTest
    @EnumSource(Place.class)
    void oneFailedRenewalDoesNotEndRenewal(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            WatchedDataSource source = new WatchedDataSource(scene.user.dataSource());
            try (Lockkeeper keeper = Lockkeeper.builder()
                    .lease(Duration.ofSeconds(3))
                    .open(scene.on(source).notifications(false).build())) {
                ExclusiveHold hold = keeper.lock("a").acquire();
                AtomicInteger failed = new AtomicInteger();
                for (int round = 1; round <= 2; round++) {
                    int wanted = round;
                    source.fault((when, method, text) -> {
                        if (failed.get() < wanted && method.startsWith("execute")) {
                            failed.incrementAndGet();
                            throw new SQLException("once", "XX000");
                        }
                    });
                    TestTimeouts.until("a renewal has failed", () -> failed.get() == wanted);
                    long end = scene.number("SELECT expires_at FROM {lock} WHERE claim IS NOT NULL");
                    TestTimeouts.until(
                            "a later one succeeds",
                            () -> scene.number("SELECT expires_at FROM {lock} WHERE claim IS NOT NULL") > end);
                }
                assertThat(hold.isHeld()).isTrue();
                hold.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void anErrorAtAnyPointGrantsOnceAndTheConnectionIsNeverUsedAgain(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            SmallPool pool = scene.with(new SmallPool(scene.user.dataSource(), 3));
            WatchedDataSource source = new WatchedDataSource(pool);
            scene.use(scene.on(source).notifications(false).build());
            scene.store("a");
            int points = 0;
            boolean reached = true;
            for (int point = 1; reached; point++) {
                for (int kind = 0; kind < 3; kind++) {
                    reached = failAt(scene, source, point, kind);
                }
                points = point;
            }
            assertThat(points).as("points at which something failed").isGreaterThan(10);
            assertThat(source.misused()).isEmpty();
            assertThat(pool.leftBehind()).isEmpty();
            assertThat(pool.lent()).isZero();
        }
    }

    /** Lets the call of that number fail, in an attempt and a release; returns whether there are so many. */
    private static boolean failAt(SqlScene scene, WatchedDataSource source, int point, int kind) {
        Claim claim = point % 2 == 0
                ? SqlScene.exclusive(SqlScene.lock())
                : SqlScene.claim(SqlScene.lock(), Mode.EXCLUSIVE, Claim.Queueing.FAIR);
        AtomicInteger calls = new AtomicInteger();
        source.fault((when, method, text) -> {
            if (calls.incrementAndGet() == point) {
                switch (kind) {
                    case 0 -> throw new DriverError();
                    case 1 -> throw new SQLException("The connection is gone", "08006");
                    default -> throw new IllegalStateException("the driver's own");
                }
            }
        });
        long token = 0;
        try {
            token = SqlScene.granted(scene.store("a").attempt(claim)).token();
        } catch (LockkeeperException | DriverError | IllegalStateException failed) {
            source.heal();
            long written = scene.token(claim.resource());
            token = scene.granted("a", claim.withRepeat(true)).token();
            if (written != 0) {
                assertThat(token).as("it was granted before the reply was lost").isEqualTo(written);
            }
        }
        assertThat(scene.token(claim.resource())).isEqualTo(token);
        try {
            assertThat(scene.release("a", claim)).isEqualTo(Release.Outcome.RELEASED);
        } catch (LockkeeperException | DriverError | IllegalStateException failed) {
            source.heal();
            scene.release("a", claim, true);
        }
        source.heal();
        assertThat(scene.token(claim.resource())).isZero();
        long next = scene.granted("b", SqlScene.exclusive(claim.resource())).token();
        assertThat(next).isGreaterThan(token);
        return calls.get() >= point;
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void conflictsAreTriedAgainAndNoError(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            WatchedDataSource source = new WatchedDataSource(scene.user.dataSource());
            scene.use(scene.on(source).notifications(false).build());
            scene.store("a");
            List<SQLException> conflicts = new ArrayList<>(List.of(
                    new SQLException("serialization failure", "40001"),
                    new SQLException("deadlock", "40P01"),
                    new SQLException("deadlock", "40001", 1213),
                    new SQLException("lock wait", "HY000", 1205),
                    new SQLException("row changed", "HY000", 1020)));
            for (SQLException conflict : conflicts) {
                AtomicInteger left = new AtomicInteger(3);
                source.fault((when, method, text) -> {
                    if (when == WatchedDataSource.When.BEFORE
                            && method.startsWith("execute")
                            && text.contains("UPDATE")
                            && left.getAndDecrement() > 0) {
                        throw conflict;
                    }
                });
                Claim claim = SqlScene.exclusive(SqlScene.lock());
                scene.granted("a", claim);
                left.set(3);
                assertThat(scene.release("a", claim)).isEqualTo(Release.Outcome.RELEASED);
                assertThat(left.get()).isNotPositive();
                source.heal();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void anExhaustedPoolIsAnErrorWithinTheTimeout(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            SmallPool pool = scene.with(new SmallPool(scene.user.dataSource(), 2));
            try (Lockkeeper keeper = Lockkeeper.builder()
                    .commandTimeout(Duration.ofMillis(500))
                    .open(scene.on(pool).notifications(false).build())) {
                keeper.lock("a").acquire().close();
                Connection one = pool.getConnection();
                Connection two = pool.getConnection();
                long start = System.nanoTime();
                assertThatThrownBy(() -> keeper.lock("a").tryAcquire()).isInstanceOf(StoreUnavailableException.class);
                assertThatThrownBy(() -> keeper.lock("a").tryAcquire(Duration.ofMillis(200)))
                        .isInstanceOf(StoreUnavailableException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
                one.close();
                two.close();
                TestTimeouts.until("it works again", () -> {
                    try (ExclusiveHold hold = keeper.lock("a").tryAcquire()) {
                        return hold != null;
                    } catch (StoreUnavailableException e) {
                        return false;
                    }
                });
                TestTimeouts.until("all connections are back", () -> pool.lent() == 0);
            }
            assertThat(pool.leftBehind()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void everyTimeIsTheDatabases(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            WatchedDataSource source = new WatchedDataSource(scene.user.dataSource());
            scene.use(scene.on(source).notifications(false).build());
            long now = System.currentTimeMillis();
            AtomicLong suspicious = new AtomicLong();
            source.fault((when, method, text) -> {
                if (text.matches(".*\\b1[0-9]{9,18}\\b.*")) {
                    suspicious.incrementAndGet();
                }
            });
            Claim claim = SqlScene.exclusive(SqlScene.lock());
            scene.granted("a", claim);
            scene.renew("a", claim);
            Answer waits =
                    scene.store("b").attempt(SqlScene.claim(claim.resource(), Mode.EXCLUSIVE, Claim.Queueing.FAIR));
            assertThat(waits).isInstanceOf(Answer.Wait.class);
            scene.release("a", claim);
            assertThat(suspicious.get())
                    .as("literal times in statements, now is %s", now)
                    .isZero();
        }
    }
}
