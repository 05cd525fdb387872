package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HandOff;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.LockProgram;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.sql.MariaDbServer;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlServer;
import io.lockkeeper.testkit.sql.SteppedClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clocks that are wrong: the database's steps, or a client's is far from it. Needs a C compiler, so it runs only where the profile
 * {@code clock-steps} is chosen.
 */
@Timeout(240)
final class ClockStepsCheck {

    private static final Duration LEASE = Duration.ofSeconds(6);

    private static SqlServer start(Place place, SteppedClock clock) {
        return place == Place.POSTGRES
                ? PostgresServer.options().clock(clock).start()
                : MariaDbServer.options().clock(clock).start();
    }

    private static Lockkeeper keeper(SqlScene scene) {
        return keeper(scene, HandOff.DEFAULT);
    }

    private static Lockkeeper keeper(SqlScene scene, HandOff handOff) {
        return Lockkeeper.builder()
                .lease(LEASE)
                .commandTimeout(Duration.ofSeconds(20))
                .handOff(handOff)
                .open(scene.with(scene.byUrl().build()));
    }

    /** Leases end early. The token says who is the newer holder, and the older one is told with its next renewal. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void afterAStepForwardTheOlderHolderIsToldAndRefused(Place place) throws Exception {
        try (SteppedClock clock = SteppedClock.create();
                SqlServer server = start(place, clock);
                SqlScene scene = SqlScene.on(place, server);
                Lockkeeper one = keeper(scene);
                Lockkeeper two = keeper(scene);
                Connection data = scene.admin.connect()) {
            JdbcFencing guard = JdbcFencing.inTable("guarded");
            guard.createTable(data);
            data.setAutoCommit(false);
            ExclusiveHold older = one.lock("a").acquire();
            guard.admit(data, "data", older);
            data.commit();
            clock.step(Duration.ofHours(1));
            ExclusiveHold newer = two.lock("a").acquire();
            assertThat(newer.token()).isGreaterThan(older.token());
            guard.admit(data, "data", newer);
            data.commit();
            assertThatThrownBy(() -> guard.admit(data, "data", older)).isInstanceOf(StaleTokenException.class);
            data.rollback();
            // The state says it first; listeners and futures are told after that.
            TestTimeouts.until("the older holder is told", () -> older.lost().isDone());
            assertThat(older.state()).isEqualTo(HoldState.LOST);
            assertThat(older.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
            assertThat(scene.token(Resource.lock("a"))).isEqualTo(newer.token());
            assertThat(newer.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /** Leases end late: who holds goes on to, and nobody else comes in. Tokens grow though the clock does not. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void afterAStepBackNothingIsLostAndTokensGrow(Place place) throws Exception {
        try (SteppedClock clock = SteppedClock.create();
                SqlServer server = start(place, clock);
                SqlScene scene = SqlScene.on(place, server);
                Lockkeeper one = keeper(scene);
                Lockkeeper two = keeper(scene)) {
            ExclusiveHold hold = one.lock("a").acquire();
            clock.step(Duration.ofHours(-1));
            long version = scene.number("SELECT version FROM {lock} WHERE in_line = 0 AND expires_at > 0");
            TestTimeouts.until(
                    "it was renewed by the new time",
                    () -> scene.number("SELECT version FROM {lock} WHERE expires_at > 0") > version);
            assertThat(two.lock("a").tryAcquire()).isNull();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
            long last = hold.token();
            for (int i = 0; i < 20; i++) {
                Lockkeeper keeper = i % 2 == 0 ? two : one;
                try (var next = i % 4 < 2
                        ? keeper.lock("a").acquire()
                        : keeper.fairLock("a").acquire()) {
                    assertThat(next.token()).isGreaterThan(last);
                    last = next.token();
                }
            }

            // A holder that is gone: its lease ends when the clock has caught up.
            Claim gone = SqlScene.exclusive(SqlScene.lock());
            scene.granted("a", gone);
            clock.step(Duration.ofHours(-1));
            scene.refused("b", SqlScene.exclusive(gone.resource()));
            clock.step(Duration.ofHours(1).plus(SqlScene.LEASE));
            scene.granted("b", SqlScene.exclusive(gone.resource()));
        }
    }

    /**
     * Whatever the clock does, a token is greater than each that was known before it was asked for. Two hold a lock at once only if
     * the clock stepped forward while the first of them did. Nothing is handed off: what a keeper hands off it asked for earlier than
     * the thread that gets it did.
     */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void underLoadTokensNeverGoDown(Place place) throws Exception {
        try (SteppedClock clock = SteppedClock.create();
                SqlServer server = start(place, clock);
                SqlScene scene = SqlScene.on(place, server);
                Lockkeeper one = keeper(scene, HandOff.OFF);
                Lockkeeper two = keeper(scene, HandOff.OFF)) {
            Register register = new Register();
            AtomicBoolean enough = new AtomicBoolean();
            Random random = new Random(7);
            Thread stepping = new Thread(() -> {
                try {
                    for (int step = 0; step < 24; step++) {
                        Duration by = Duration.ofMillis(random.nextInt(600_000));
                        if (random.nextBoolean()) {
                            register.forward.incrementAndGet();
                            clock.step(by);
                        } else {
                            clock.step(by.negated());
                        }
                        int seen = register.grants.get();
                        TestTimeouts.until("work goes on", () -> register.grants.get() > seen + 10 || enough.get());
                    }
                } finally {
                    enough.set(true);
                }
            });
            stepping.start();
            Crowd.threads(4, thread -> {
                Lockkeeper keeper = thread % 2 == 0 ? one : two;
                while (!enough.get()) {
                    register.use(keeper);
                }
                return true;
            });
            stepping.join();
            assertThat(register.grants.get()).isGreaterThan(200);
            assertThat(register.disorder.get()).as("tokens that went down").isZero();
            assertThat(register.overlaps.get())
                    .as("two at once without a step forward")
                    .isZero();
        }
    }

    /** What is protected, and what is seen of it. */
    private static final class Register {
        final AtomicInteger grants = new AtomicInteger();
        final AtomicInteger disorder = new AtomicInteger();
        final AtomicInteger overlaps = new AtomicInteger();
        /** How often the clock was stepped forward; counted before it is. */
        final AtomicInteger forward = new AtomicInteger();

        private final AtomicLong newest = new AtomicLong();
        /** Who is inside, each with the count of forward steps when it asked for the lock. Guarded by itself. */
        private final Map<ExclusiveHold, Integer> inside = new HashMap<>();

        void use(Lockkeeper keeper) throws InterruptedException {
            long known = newest.get();
            int before = forward.get();
            try (ExclusiveHold hold = keeper.lock("a").acquire()) {
                enter(hold, before);
                if (hold.token() <= known) {
                    disorder.incrementAndGet();
                }
                newest.accumulateAndGet(hold.token(), Math::max);
                grants.incrementAndGet();
                leave(hold);
            }
        }

        private void enter(ExclusiveHold hold, int before) {
            synchronized (inside) {
                // Each that is still inside must have been there when the clock was stepped.
                if (inside.containsValue(forward.get())) {
                    overlaps.incrementAndGet();
                }
                inside.put(hold, before);
            }
        }

        private void leave(ExclusiveHold hold) {
            synchronized (inside) {
                inside.remove(hold);
            }
        }
    }

    /** The clock of a client is days off, in another zone, and steps: locks are those of any other client. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void aClientsClockAndZoneHaveNoPartInALock(Place place, @TempDir Path folder) throws Exception {
        try (SqlScene scene = place.scene();
                SteppedClock ahead = SteppedClock.create().zone("Pacific/Kiritimati");
                SteppedClock behind = SteppedClock.create().zone("America/St_Johns")) {
            ahead.set(Duration.ofHours(26));
            behind.set(Duration.ofHours(-40));
            Path file = Files.writeString(folder.resolve("count"), "0");
            String url = scene.user
                    .with("lockkeeper.tablePrefix", scene.tables.prefix())
                    .fullUrl();
            try (ChildJvm one = LockProgram.start(command -> withZone(ahead, command), url, LEASE.multipliedBy(10));
                    ChildJvm two =
                            LockProgram.start(command -> withZone(behind, command), url, LEASE.multipliedBy(10))) {
                one.send("count a " + file + " 30");
                two.send("count a " + file + " 30");
                assertThat(one.receive()).isEqualTo("done");
                assertThat(two.receive()).isEqualTo("done");
                assertThat(Files.readString(file)).isEqualTo("60");

                long token = LockProgram.token(one.ask("acquire a"));
                assertThat(scene.token(Resource.lock("a"))).isEqualTo(token);
                assertThat(two.ask("tryAcquire a 200")).isEqualTo("none");
                assertThat(scene.number("SELECT COUNT(*) FROM {lock} WHERE expires_at > " + scene.dialect.clock()
                                + " AND expires_at <= " + scene.dialect.clock() + " + 60000000 AND granted_at <= "
                                + scene.dialect.clock() + " AND last_token <= " + scene.dialect.clock()))
                        .as("all times in the row are the database's")
                        .isEqualTo(1);
                ahead.step(Duration.ofHours(-30));
                assertThat(one.ask("state")).as("its clock was set back").isEqualTo("HELD");
                assertThat(one.ask("release")).isEqualTo("RELEASED");
                long next = LockProgram.token(two.ask("acquire a"));
                assertThat(next).isGreaterThan(token);
                behind.step(Duration.ofHours(80));
                TestTimeouts.until(
                        "it trusts the clock by which its lease is over",
                        () -> two.ask("state").equals("LOST"));
                assertThat(LockProgram.token(one.ask("acquire a"))).isGreaterThan(next);
            }
        }
    }

    /** Some JVMs take the zone from other places than the variable. */
    private static List<String> withZone(SteppedClock clock, List<String> command) {
        List<String> words = new ArrayList<>(command);
        words.add(1, "-Duser.timezone=" + clock.zone());
        return clock.command(words);
    }

    /** The hour that there is twice in autumn, and the one that is missing in spring, in the zone of server and session. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void daylightSavingTimeOfTheDatabaseHasNoPartInALock(Place place) throws Exception {
        try (SteppedClock clock = SteppedClock.create().zone("CET-1CEST,M3.5.0,M10.5.0/3");
                SqlServer server = start(place, clock);
                SqlScene scene = SqlScene.on(place, server)) {
            SmallPool pool = scene.with(new SmallPool(scene.user.dataSource(), 2, connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(
                            place == Place.POSTGRES ? "SET TIME ZONE 'Europe/Berlin'" : "SET time_zone = 'SYSTEM'");
                }
            }));
            scene.use(scene.on(pool).notifications(false).build());
            for (String change : List.of("2026-10-25T01:00:00Z", "2027-03-28T01:00:00Z")) {
                Instant start = Instant.parse(change).minusSeconds(10);
                clock.set(Duration.between(Instant.now(), start));
                long offset = offset(place, pool);
                Claim claim = SqlScene.exclusive(SqlScene.lock());
                long token = scene.granted("a", claim).token();
                scene.refused("b", SqlScene.exclusive(claim.resource()));
                clock.step(Duration.ofSeconds(20));
                assertThat(offset(place, pool))
                        .as("the zone has changed its offset")
                        .isNotEqualTo(offset);
                scene.refused("b", SqlScene.exclusive(claim.resource()));
                assertThat(scene.store("b")
                                .inspect(claim.resource())
                                .orElseThrow()
                                .remaining())
                        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(40));
                assertThat(scene.renew("a", claim)).isInstanceOf(Renewal.Kept.class);
                clock.step(Duration.ofSeconds(40));
                scene.refused("b", SqlScene.exclusive(claim.resource()));
                clock.step(SqlScene.LEASE);
                assertThat(scene.granted("b", SqlScene.exclusive(claim.resource()))
                                .token())
                        .isGreaterThan(token);
            }
        }
    }

    /** By how many seconds the session's local time is ahead of UTC. */
    private static long offset(Place place, SmallPool pool) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        place == Place.POSTGRES
                                ? "SELECT extract(timezone FROM clock_timestamp())"
                                : "SELECT TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(), NOW()) * 60")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Random programs in which leases end and waiters fall silent, against the reference semantics in memory. */
    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"POSTGRES", "MARIADB"})
    void statementsAnswerAsTheReferenceDoesWhileTimePasses(Place place) throws Exception {
        Duration lull = Duration.ofMinutes(4);
        try (SteppedClock clock = SteppedClock.create();
                SqlServer server = start(place, clock);
                SqlScene scene = SqlScene.on(place, server);
                ModelSubject subject = ModelSubject.inOneProcess(scene, () -> {
                    clock.step(lull);
                    return lull;
                })) {
            subject.run(5_000, 60);
        }
    }
}
