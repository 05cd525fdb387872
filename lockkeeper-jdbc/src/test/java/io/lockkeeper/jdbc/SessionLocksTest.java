package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.LockProgram;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.sql.MariaDbServer;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import io.lockkeeper.testkit.sql.SqlServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Session locks: what is theirs alone, beside the contracts. */
@Timeout(180)
class SessionLocksTest {

    /** The databases that have them. */
    enum Server {
        POSTGRES,
        MARIADB;

        SqlServer shared() {
            return this == POSTGRES ? Databases.postgres() : Databases.mariaDb();
        }

        SqlServer start() {
            return this == POSTGRES ? PostgresServer.start() : Databases.newMariaDb();
        }

        /** How many connections a database has. */
        long connections(SqlDatabase database) {
            return shared().admin()
                    .number(
                            this == POSTGRES
                                    ? "SELECT count(*) FROM pg_stat_activity WHERE datname = '" + database.name() + "'"
                                    : "SELECT count(*) FROM information_schema.processlist WHERE db = '"
                                            + database.name() + "'");
        }
    }

    /** So long that nothing here ends by it. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static SqlDatabase newDatabase(Server place) {
        return SessionFixture.newDatabase(place.shared());
    }

    private static Lockkeeper keeper(SessionLocksBackend backend) {
        return Lockkeeper.builder().lease(LONG).commandTimeout(TIMEOUT).open(backend);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    private static ExclusiveHold held(@Nullable ExclusiveHold hold) {
        if (hold == null) {
            throw new AssertionError("It should be acquired");
        }
        return hold;
    }

    /** Sixteen keepers in this process, then four processes with four keepers each. */
    @ParameterizedTest
    @EnumSource
    void noUpdateOfAThreadOrProcessIsLost(Server place) throws Exception {
        int rounds = 8;
        TestDatabase on = place == Server.POSTGRES ? TestDatabase.POSTGRESQL : TestDatabase.MARIADB;
        String table = on.table("id bigint PRIMARY KEY, stock bigint NOT NULL");
        on.database().execute("INSERT INTO " + table + " VALUES (1, 1000)");
        Crowd.threads(Crowd.THREADS, worker -> IdiomJobs.named("session").run(on.database(), table, worker, rounds));
        long done = Crowd.processes(on.remote(), "session", table, rounds);
        assertThat(done).isEqualTo(16L * rounds);
        assertThat(on.database().number("SELECT stock FROM " + table)).isEqualTo(1000 - Crowd.THREADS * rounds - done);
    }

    // ---- the connection

    @ParameterizedTest
    @EnumSource
    void theEndOfTheConnectionIsToldToAllHolders(Server place) throws Exception {
        SqlDatabase database = newDatabase(place);
        try (SessionLocksBackend backend = SessionLocksBackend.at(database.fullUrl());
                Lockkeeper mine = keeper(backend);
                Lockkeeper other = keeper(backend)) {
            List<ExclusiveHold> holds = new ArrayList<>();
            List<CompletableFuture<Loss>> losses = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                holds.add(mine.lock("lost " + i).acquire());
                losses.add(holds.get(i).lost());
            }
            ExclusiveHold untouched = other.lock("untouched").acquire();

            SessionFixture.endHolder(place.shared(), database, Resource.lock("lost 7"));

            for (CompletableFuture<Loss> loss : losses) {
                assertThat(get(loss).reason()).isEqualTo(Loss.Reason.SESSION_ENDED);
            }
            assertThat(holds).allMatch(hold -> hold.state() == HoldState.LOST);
            assertThat(untouched.state()).isEqualTo(HoldState.HELD);
            // A new connection has none of them, so that others can.
            try (ExclusiveHold next = other.lock("lost 7").acquire();
                    ExclusiveHold again = mine.lock("lost 8").acquire()) {
                assertThat(next.token()).isGreaterThan(holds.get(7).token());
                assertThat(again.token()).isGreaterThan(holds.get(8).token());
                assertThat(mine.lock("lost 7").tryAcquire()).isNull();
            }
            untouched.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThousandLocksAreOnOneConnectionAndEndWithIt(Server place) throws Exception {
        SqlDatabase database = newDatabase(place);
        try (SessionLocksBackend backend = SessionLocksBackend.at(database.fullUrl());
                SessionLocksBackend others = SessionLocksBackend.at(database.fullUrl())) {
            try (Lockkeeper mine = keeper(backend)) {
                List<ExclusiveHold> holds = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    holds.add(mine.lock("many " + i).acquire());
                }
                TestTimeouts.until("one connection is left", () -> place.connections(database) == 1);
                assertThat(holds).allMatch(hold -> hold.state() == HoldState.HELD);
                holds.subList(0, 500).forEach(ExclusiveHold::close);
                try (Lockkeeper other = keeper(others)) {
                    held(other.lock("many 499").tryAcquire()).close();
                    assertThat(other.lock("many 500").tryAcquire()).isNull();
                }
            }
            try (Lockkeeper other = keeper(others)) {
                held(other.lock("many 500").tryAcquire()).close();
                held(other.lock("many 999").tryAcquire()).close();
            }
        }
        TestTimeouts.until("no connection is left", () -> place.connections(database) == 0);
    }

    @ParameterizedTest
    @EnumSource
    void aKilledProcessFreesItsLocksWithoutAnyLease(Server place) throws Exception {
        SqlDatabase database = newDatabase(place);
        try (ChildJvm child = LockProgram.start(SessionFixture.url(database), LONG);
                SessionLocksBackend backend = SessionLocksBackend.at(database.fullUrl());
                Lockkeeper mine = keeper(backend)) {
            long token = LockProgram.token(child.ask("acquire dies"));
            assertThat(mine.lock("dies").tryAcquire()).isNull();
            child.kill();
            try (ExclusiveHold hold = held(mine.lock("dies").tryAcquire(TestTimeouts.DEFAULT))) {
                assertThat(hold.token()).isGreaterThan(token);
            }
        }
    }

    /** A statement that timed out for its caller must not cost the locks of all others. */
    @ParameterizedTest
    @EnumSource
    void aServerThatIsSlowForAWhileCostsNoLock(Server place) throws Exception {
        try (SqlServer server = place.start();
                SessionLocksBackend backend = SessionLocksBackend.at(
                        SessionFixture.newDatabase(server).fullUrl());
                Lockkeeper mine = Lockkeeper.builder()
                        .lease(LONG)
                        .commandTimeout(Duration.ofMillis(200))
                        .open(backend)) {
            ExclusiveHold hold = held(mine.lock("kept").tryAcquire(TestTimeouts.DEFAULT));
            server.pause();
            assertThatThrownBy(() -> mine.lock("other").tryAcquire()).isInstanceOf(StoreUnavailableException.class);
            assertThat(hold.state()).isEqualTo(HoldState.UNCERTAIN);
            server.resume();
            TestTimeouts.until("it is held again", () -> hold.state() == HoldState.HELD);
            // The attempt that was given up may have been executed; then it was given back.
            held(mine.lock("other").tryAcquire(TestTimeouts.DEFAULT)).close();
            hold.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDataSourceOfTheApplicationDoesToo(Server place) throws Exception {
        SqlDatabase database = newDatabase(place);
        try (SessionLocksBackend backend = SessionLocksBackend.of(database.dataSource());
                Lockkeeper mine = keeper(backend);
                Lockkeeper other = Lockkeeper.connect(SessionFixture.url(database))) {
            try (ExclusiveHold hold = mine.lock("a").acquire()) {
                assertThat(hold.isHeld()).isTrue();
                assertThat(other.lock("a").tryAcquire()).isNull();
                assertThat(other.lock("a").isLocked()).isTrue();
            }
            held(other.lock("a").tryAcquire()).close();
        }
    }

    // ---- below the engine

    private static Claim claim(TestKeeper keeper, Resource resource, Claim.Queueing queueing) {
        return Claim.of(
                        UUID.randomUUID().toString().replace("-", ""),
                        resource,
                        Mode.EXCLUSIVE,
                        LONG,
                        keeper.holder(),
                        TIMEOUT)
                .withQueueing(queueing);
    }

    private static Release.Outcome release(Store store, Claim claim, boolean unanswered) {
        return store.release(new Release(claim.resource(), claim.id(), LONG, unanswered, TIMEOUT));
    }

    /** Locks of the server are re-entrant in a session. */
    @ParameterizedTest
    @EnumSource
    void twoClaimsOfOneKeeperExcludeEachOther(Server place) {
        TestKeeper keeper = new TestKeeper("k1", LONG);
        try (SessionLocksBackend backend =
                        SessionLocksBackend.at(newDatabase(place).fullUrl());
                Store store = backend.open(keeper)) {
            Claim one = claim(keeper, Resource.lock("a"), Claim.Queueing.NEVER);
            Claim two = claim(keeper, Resource.lock("a"), Claim.Queueing.NEVER);
            Answer.Granted first = (Answer.Granted) store.attempt(one);
            assertThat(first.session()).isNotNull();
            assertThat(store.attempt(two)).isInstanceOf(Answer.Wait.class);
            assertThat(store.attempt(one.withRepeat(true))).isEqualTo(first);
            assertThat(release(store, two, false)).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(store.renew(List.of(one, two), TIMEOUT))
                    .satisfiesExactly(
                            kept -> assertThat(kept).isInstanceOf(Renewal.Kept.class),
                            gone -> assertThat(gone).isInstanceOf(Renewal.Gone.class));
            assertThat(release(store, one, false)).isEqualTo(Release.Outcome.RELEASED);
            Answer.Granted second = (Answer.Granted) store.attempt(two);
            assertThat(second.token()).isGreaterThan(first.token() + LockSession.BLOCK - 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTombstoneOutlastsTheConnection(Server place) {
        TestKeeper keeper = new TestKeeper("k1", LONG);
        SqlDatabase database = newDatabase(place);
        try (SessionLocksBackend backend = SessionLocksBackend.at(database.fullUrl());
                Store store = backend.open(keeper)) {
            Claim ended = claim(keeper, Resource.lock("a"), Claim.Queueing.NEVER);
            assertThat(release(store, ended, true)).isEqualTo(Release.Outcome.NOT_HELD);
            Claim held = claim(keeper, Resource.lock("b"), Claim.Queueing.NEVER);
            Answer.Granted granted = (Answer.Granted) store.attempt(held);
            SessionFixture.endHolder(place.shared(), database, held.resource());
            TestTimeouts.until("the end is known", () -> keeper.signalledAll.get() > 0);
            assertThat(granted.session())
                    .satisfies(session ->
                            assertThat(session != null && session.isEnded()).isTrue());
            assertThat(store.renew(List.of(held), TIMEOUT)).singleElement().isInstanceOf(Renewal.Gone.class);
            assertThat(release(store, held, false)).isEqualTo(Release.Outcome.NOT_HELD);
            assertThat(store.attempt(ended)).isInstanceOf(Answer.Refused.class);
        }
    }

    /** A claim that waits has the turn: a newcomer does not overtake it, and gets it when the claim is withdrawn. */
    @ParameterizedTest
    @EnumSource
    void aClaimInItsTurnIsPassedOverByNobody(Server place) {
        TestKeeper keeper = new TestKeeper("k1", LONG);
        TestKeeper otherKeeper = new TestKeeper("k2", LONG);
        try (SessionLocksBackend backend =
                        SessionLocksBackend.at(newDatabase(place).fullUrl());
                Store holding = backend.open(keeper);
                Store waiting = backend.open(otherKeeper)) {
            Resource lock = Resource.lock("a");
            Claim held = claim(keeper, lock, Claim.Queueing.NEVER);
            Claim next = claim(otherKeeper, lock, Claim.Queueing.PLAIN);
            Claim newcomer = claim(keeper, lock, Claim.Queueing.NEVER);
            assertThat(holding.attempt(held)).isInstanceOf(Answer.Granted.class);
            assertThat(waiting.attempt(next)).isInstanceOf(Answer.Wait.class);
            release(holding, held, false);
            assertThat(holding.attempt(newcomer)).isInstanceOf(Answer.Wait.class);
            assertThat(waiting.attempt(next)).isInstanceOf(Answer.Granted.class);
            release(waiting, next, false);

            assertThat(holding.attempt(newcomer)).as("the turn is free again").isInstanceOf(Answer.Granted.class);
            Claim withdrawn = claim(otherKeeper, lock, Claim.Queueing.PLAIN);
            assertThat(waiting.attempt(withdrawn)).isInstanceOf(Answer.Wait.class);
            release(waiting, withdrawn, false);
            release(holding, newcomer, false);
            assertThat(holding.attempt(claim(keeper, lock, Claim.Queueing.NEVER)))
                    .isInstanceOf(Answer.Granted.class);
        }
    }

    /** {@link TestKeeper} knows of no claim, as a keeper that has forgotten one of which it was never told. */
    @ParameterizedTest
    @EnumSource
    void whatTheKeeperKnowsNothingOfIsGivenBackWithAContact(Server place) {
        TestKeeper forgetful = new TestKeeper("k1", Duration.ofSeconds(3));
        TestKeeper other = new TestKeeper("k2", LONG);
        try (SessionLocksBackend backend =
                        SessionLocksBackend.at(newDatabase(place).fullUrl());
                Store store = backend.open(forgetful);
                Store another = backend.open(other)) {
            assertThat(store.attempt(claim(forgetful, Resource.lock("a"), Claim.Queueing.NEVER)))
                    .isInstanceOf(Answer.Granted.class);
            Claim waits = claim(other, Resource.lock("a"), Claim.Queueing.NEVER);
            TestTimeouts.until("it is free", () -> another.attempt(waits) instanceof Answer.Granted);
        }
    }

    /** The others stay: the server has only said that it has no memory for one more. */
    @Test
    void aServerWithoutMemoryForOneMoreLockKeepsTheOthers() throws Exception {
        try (PostgresServer server = PostgresServer.options()
                        .set("max_locks_per_transaction", "10")
                        .set("max_connections", "10")
                        .start();
                SessionLocksBackend backend =
                        SessionLocksBackend.at(server.createDatabase().fullUrl());
                Lockkeeper mine = keeper(backend)) {
            List<ExclusiveHold> holds = new ArrayList<>();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            holds.add(held(mine.lock("full " + i).tryAcquire()));
                        }
                    })
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("memory");
            assertThat(holds).isNotEmpty().allMatch(hold -> hold.state() == HoldState.HELD);
            holds.remove(0).close();
            holds.add(held(mine.lock("room again").tryAcquire()));
        }
    }

    // ---- what is refused

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"H2", "SQLITE"})
    void aDatabaseWithoutSessionLocksSaysSo(Place place) {
        SqlDatabase database = place == Place.H2 ? Databases.h2() : Databases.sqlite();
        try (SessionLocksBackend backend = SessionLocksBackend.at(database.fullUrl())) {
            assertThatThrownBy(() -> Lockkeeper.of(backend))
                    .isInstanceOf(UnfitDatabaseException.class)
                    .hasMessageContaining("has no locks of a session; use PostgreSQL");
        }
    }

    /** Its clock would be that of the beginning of a statement, from before the lock was had. */
    @Test
    void aServerWhoseClockStandsStillInAStatementIsRefused() {
        try (SqlServer server =
                        MariaDbServer.options().set("sysdate-is-now", "1").start();
                SessionLocksBackend backend = SessionLocksBackend.at(
                        SessionFixture.newDatabase(server).fullUrl())) {
            assertThatThrownBy(() -> Lockkeeper.of(backend))
                    .isInstanceOf(UnfitDatabaseException.class)
                    .hasMessageContaining("sysdate-is-now");
        }
    }

    @Test
    void settingsThatDoNotGoTogetherAreRefused() {
        String url = "jdbc:postgresql://h/db?password=secret&lockkeeper.mode=";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcBackend.at(url + "session"))
                .withMessageContaining("SessionLocksBackend.at");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SessionLocksBackend.at(url + "table"))
                .withMessageContaining("lockkeeper.mode=table");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lockkeeper.connect(url + "sesion"))
                .withMessageContaining("'table', the default, and 'session'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lockkeeper.connect(url + "session&lockkeeper.createTables=true"))
                .withMessageContaining("session locks have no tables");
        try (SessionLocksBackend backend = SessionLocksBackend.at(url + "session")) {
            assertThat(backend.describe()).isEqualTo("jdbc:postgresql://h/db");
        }
    }
}
