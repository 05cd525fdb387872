package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.sql.EmbeddedDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads and processes at once, few connections, other settings of sessions, interrupts. */
@Timeout(300)
class ManyThreadsTest {

    private static <T> List<T> together(int threads, Callable<T> work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                futures.add(executor.submit(work));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(250, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void fiveThousandFirstUsesMeetNoDeadlock(Place place) throws Exception {
        int names = 1_250;
        int threads = 4;
        try (SqlScene scene = place.scene()) {
            WatchedDataSource source = new WatchedDataSource(scene.user.dataSource());
            SmallPool pool = scene.with(new SmallPool(source, threads));
            scene.use(scene.on(pool).notifications(false).build());
            Store store = scene.store("a");
            String first = SqlScene.lock().name();
            CyclicBarrier barrier = new CyclicBarrier(threads);
            List<Integer> granted = together(threads, () -> {
                int mine = 0;
                for (int i = 0; i < names; i++) {
                    if (i % 50 == 0) {
                        barrier.await(60, TimeUnit.SECONDS);
                    }
                    Answer answer = store.attempt(SqlScene.exclusive(Resource.lock(first + "/" + i)));
                    mine += answer instanceof Answer.Granted ? 1 : 0;
                }
                return mine;
            });
            assertThat(granted.stream().mapToInt(n -> n).sum())
                    .as("each name is granted once")
                    .isEqualTo(names);
            assertThat(scene.number("SELECT COUNT(*) FROM {lock}")).isEqualTo(names);
            assertThat(source.problems())
                    .filteredOn(problem -> SqlProblem.of(problem) != SqlProblem.DUPLICATE)
                    .as("what the database complained of")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void tenKeepersCreateTheTablesAtOnce(Place place) throws Exception {
        for (int round = 0; round < 3; round++) {
            try (SqlScene scene = SqlScene.bare(place)) {
                CyclicBarrier barrier = new CyclicBarrier(10);
                List<Boolean> opened = together(10, () -> {
                    barrier.await(60, TimeUnit.SECONDS);
                    try (Lockkeeper keeper = Lockkeeper.builder()
                            .open(scene.builder()
                                    .url(scene.admin.fullUrl())
                                    .notifications(false)
                                    .createTables(true)
                                    .build())) {
                        try (ExclusiveHold hold = keeper.lock("a").acquire()) {
                            return hold.isHeld();
                        }
                    }
                });
                assertThat(opened).hasSize(10).containsOnly(true);
                assertThat(scene.number("SELECT COUNT(*) FROM {lock} WHERE family = 'lock'"))
                        .isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void fiveHundredThreadsWaitWithTwoConnections(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            SmallPool pool = scene.with(
                    new SmallPool(scene.user.dataSource(), 2, connection -> connection.setAutoCommit(false)));
            try (Lockkeeper keeper = Lockkeeper.builder()
                    .lease(Duration.ofMinutes(1))
                    .commandTimeout(Duration.ofSeconds(30))
                    .open(scene.on(pool).notifications(place == Place.POSTGRES).build())) {
                AtomicInteger inside = new AtomicInteger();
                AtomicInteger most = new AtomicInteger();
                int[] counts = new int[20];
                AtomicInteger next = new AtomicInteger();
                together(500, () -> {
                    int name = next.getAndIncrement() % counts.length;
                    try (ExclusiveHold hold = keeper.lock("many " + name).acquire()) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        counts[name]++;
                        inside.decrementAndGet();
                        return hold.token();
                    }
                });
                assertThat(counts).containsOnly(25);
            }
            assertThat(pool.most()).isLessThanOrEqualTo(2);
            assertThat(pool.leftBehind()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void locksWorkAtEveryIsolationLevelWithAutocommitOff(Place place) throws Exception {
        List<Integer> levels =
                new ArrayList<>(List.of(Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ));
        levels.add(Connection.TRANSACTION_SERIALIZABLE);
        levels.add(Connection.TRANSACTION_READ_UNCOMMITTED);
        if (place == Place.SQLITE) {
            // The driver knows no others.
            levels.removeAll(List.of(Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ));
        }
        for (int level : levels) {
            try (SqlScene scene = place.scene()) {
                SmallPool pool = scene.with(new SmallPool(scene.user.dataSource(), 3, connection -> {
                    connection.setTransactionIsolation(level);
                    connection.setAutoCommit(false);
                }));
                JdbcBackend backend = scene.use(
                        scene.on(pool).notifications(place == Place.POSTGRES).build());
                try (Lockkeeper one = Lockkeeper.builder()
                                .commandTimeout(Duration.ofSeconds(30))
                                .lease(Duration.ofMinutes(1))
                                .open(backend);
                        Lockkeeper two = Lockkeeper.builder()
                                .commandTimeout(Duration.ofSeconds(30))
                                .lease(Duration.ofMinutes(1))
                                .open(scene.with(scene.byUrl().build()))) {
                    int[] count = {0};
                    AtomicInteger turn = new AtomicInteger();
                    together(8, () -> {
                        Lockkeeper keeper = turn.getAndIncrement() % 2 == 0 ? one : two;
                        for (int i = 0; i < 10; i++) {
                            try (ExclusiveHold hold = keeper.lock("a").acquire()) {
                                count[0]++;
                                assertThat(hold.isHeld()).isTrue();
                            }
                        }
                        return true;
                    });
                    assertThat(count[0]).as("level " + level).isEqualTo(80);
                    one.latch("l").trySetCount(1);
                    two.latch("l").countDown();
                    assertThat(one.latch("l").await(Duration.ofSeconds(30))).isTrue();
                }
                assertThat(pool.leftBehind()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void aTransactionOfTheThreadIsNotJoined(Place place) throws Exception {
        try (SqlScene scene = place.scene()) {
            ThreadLocal<Connection> bound = new ThreadLocal<>();
            WatchedDataSource source = new WatchedDataSource(scene.user.dataSource());
            // As data sources of frameworks do that know of the thread's transaction.
            TestDataSource aware = new TestDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    Connection mine = bound.get();
                    return mine == null ? source.getConnection() : mine;
                }
            };
            String own = "own_" + scene.tables.prefix();
            scene.admin.execute("CREATE TABLE " + own + " (n INT)", "INSERT INTO " + own + " VALUES (1)");
            if (place.isServer()) {
                String grantee = place == Place.POSTGRES ? "app" : "'app'@'%'";
                scene.admin.execute("GRANT SELECT, UPDATE ON " + own + " TO " + grantee);
            }
            try (Lockkeeper keeper = Lockkeeper.builder()
                            .open(scene.on(aware).notifications(false).build());
                    Connection transaction = scene.user.connect()) {
                transaction.setAutoCommit(false);
                boolean writes = place != Place.SQLITE;
                try (var statement = transaction.createStatement()) {
                    // SQLite has one writer for the whole file, so there the transaction only reads.
                    statement.execute(writes ? "UPDATE " + own + " SET n = 2" : "SELECT n FROM " + own);
                }
                bound.set(transaction);
                ExclusiveHold hold = keeper.lock("a").acquire();
                transaction.rollback();
                bound.remove();
                assertThat(scene.store("other").attempt(SqlScene.exclusive(Resource.lock("a"))))
                        .as("the lock did not go back with the transaction")
                        .isInstanceOf(Answer.Wait.class);
                assertThat(scene.admin.number("SELECT n FROM " + own)).isEqualTo(1);
                hold.close();
                assertThat(scene.token(Resource.lock("a"))).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void interruptsAreHonouredAndHarmTheDatabaseInNothing(Place place, @TempDir Path folder) throws Exception {
        try (SqlScene scene =
                place == Place.H2 ? SqlScene.on(place, EmbeddedDatabases.h2File(folder)) : place.scene()) {
            interrupts(scene);
        }
    }

    private static void interrupts(SqlScene scene) throws Exception {
        try (Lockkeeper one = Lockkeeper.builder()
                        .lease(Duration.ofMinutes(1))
                        .commandTimeout(Duration.ofSeconds(30))
                        .open(scene.with(scene.byUrl().build()));
                Connection keepsOpen = scene.user.connect()) {
            AtomicInteger interrupted = new AtomicInteger();
            AtomicInteger done = new AtomicInteger();
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger overlaps = new AtomicInteger();
            Thread[] threads = new Thread[4];
            for (int t = 0; t < threads.length; t++) {
                int name = t % 2;
                threads[t] = new Thread(() -> {
                    while (done.get() < 400 || interrupted.get() <= 50) {
                        try (ExclusiveHold hold = one.lock("i" + name).acquire()) {
                            if (name == 0) {
                                overlaps.addAndGet(inside.incrementAndGet() - 1);
                                inside.decrementAndGet();
                            }
                            assertThat(hold.token()).isPositive();
                        } catch (InterruptedException e) {
                            interrupted.incrementAndGet();
                        }
                        done.incrementAndGet();
                    }
                });
                threads[t].start();
            }
            while (done.get() < 400 || interrupted.get() <= 50) {
                for (Thread thread : threads) {
                    thread.interrupt();
                }
                LockSupport.parkNanos(500_000);
            }
            for (Thread thread : threads) {
                thread.join(60_000);
                assertThat(thread.isAlive()).isFalse();
            }
            assertThat(interrupted.get()).as("interrupts that were noticed").isGreaterThan(50);
            assertThat(overlaps.get()).isZero();
            assertThat(keepsOpen.isValid(5)).isTrue();
            Thread.currentThread().interrupt();
            assertThat(one.lock("not waited for").tryAcquire())
                    .as("tryAcquire does not wait")
                    .isNotNull();
            assertThat(Thread.interrupted()).isTrue();
            for (int i = 2; i < 20; i++) {
                one.lock("i" + i).acquire().close();
            }
        }
        assertThat(scene.number(
                        "SELECT COUNT(*) FROM {lock} WHERE claim IS NOT NULL AND expires_at > 0 AND in_line = 0"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Pacific/Kiritimati", "America/St_Johns", "Europe/Berlin"})
    void timeZonesAreIrrelevant(String zone) throws Exception {
        for (Place place : Place.values()) {
            try (SqlScene scene = place.scene()) {
                String session = switch (place) {
                    case POSTGRES -> "SET TIME ZONE '" + zone + "'";
                    case MARIADB -> "SET time_zone = '-09:30'";
                    case H2 -> "SET TIME ZONE '" + zone + "'";
                    case SQLITE -> "SELECT 1";
                };
                SmallPool pool = scene.with(new SmallPool(scene.user.dataSource(), 2, connection -> {
                    try (var statement = connection.createStatement()) {
                        statement.execute(session);
                    }
                }));
                java.util.TimeZone before = java.util.TimeZone.getDefault();
                Claim claim = SqlScene.exclusive(SqlScene.lock());
                try {
                    java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone(zone));
                    scene.use(scene.on(pool).notifications(false).build());
                    scene.granted("a", claim);
                } finally {
                    java.util.TimeZone.setDefault(before);
                }
                try (JdbcBackend plain = scene.byUrl().build()) {
                    Store other = plain.open(new TestKeeper("plain"));
                    assertThat(other.attempt(SqlScene.exclusive(claim.resource())))
                            .isInstanceOf(Answer.Wait.class);
                    assertThat(other.inspect(claim.resource()).orElseThrow().remaining())
                            .isBetween(Duration.ofSeconds(1), SqlScene.LEASE);
                    other.close();
                }
            }
        }
    }
}
