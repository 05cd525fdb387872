package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.testkit.TestTimeouts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Conflicts as databases really report them: each is met by trying again, and no caller hears of it. Another transaction stands in
 * the way of a request that has begun; when it is out of the way, the database refuses the request, which is repeated.
 */
@Timeout(120)
class RealConflictsTest {

    /** A scene whose connections are watched, and set up in a certain way. */
    private static WatchedDataSource watched(SqlScene scene, SmallPool.SetUp setUp) {
        WatchedDataSource source = new WatchedDataSource(scene.with(new SmallPool(scene.user.dataSource(), 4, setUp)));
        scene.use(scene.on(source).notifications(false).build());
        scene.store("a");
        scene.store("b");
        return source;
    }

    private static Connection transaction(SqlScene scene) throws SQLException {
        Connection connection = scene.admin.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void execute(SqlScene scene, Connection connection, String text, Resource resource)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(scene.named(text))) {
            Sql.set(statement, 1, scene.dialect.key(resource.name()));
            statement.execute();
        }
    }

    private static void serializable(Connection connection) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    }

    private static CompletableFuture<Answer> attempt(SqlScene scene, String keeper, Claim claim) {
        return CompletableFuture.supplyAsync(() -> scene.store(keeper).attempt(claim));
    }

    /** Waits until a statement waits for a row of this scene that another transaction has locked. */
    private static void untilSomebodyWaits(SqlScene scene) {
        if (scene.place == Place.POSTGRES) {
            String waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE usename = 'app' AND wait_event_type = 'Lock'";
            TestTimeouts.until("a request waits", () -> scene.admin.number(waiting) > 0);
        } else {
            TestTimeouts.until("a request waits", () -> hasWaitForRow(scene));
        }
    }

    /**
     * Whether the server's report has a wait for a row of this scene. Not the table {@code innodb_trx}: what it shows is not renewed
     * while it is looked at more often than every 100 ms.
     */
    private static boolean hasWaitForRow(SqlScene scene) {
        try (Connection connection = scene.admin.connect();
                Statement statement = connection.createStatement();
                ResultSet report = statement.executeQuery("SHOW ENGINE INNODB STATUS")) {
            report.next();
            return report.getString("Status")
                    .lines()
                    .anyMatch(line -> line.contains(scene.tables.prefix()) && line.endsWith(" waiting"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertMet(WatchedDataSource source, String state, int code) {
        assertThat(source.problems()).as("what the database complained of").anySatisfy(problem -> {
            assertThat(problem.getSQLState()).isEqualTo(state);
            if (code != 0) {
                assertThat(problem.getErrorCode()).isEqualTo(code);
            }
        });
    }

    /** PostgreSQL, serializable: the row has changed since the statement's snapshot (40001). */
    @ParameterizedTest
    @EnumSource(Asked.class)
    void aSerializationFailureIsTriedAgain(Asked what) throws Exception {
        try (SqlScene scene = Place.POSTGRES.scene()) {
            WatchedDataSource source = watched(scene, RealConflictsTest::serializable);
            Claim before = SqlScene.exclusive(SqlScene.lock());
            long first = scene.granted("a", before).token();
            if (what != Asked.RELEASE) {
                scene.release("a", before);
            }
            CompletableFuture<?> request;
            try (Connection other = transaction(scene)) {
                execute(scene, other, "UPDATE {lock} SET version = version + 1 WHERE name = ?", before.resource());
                request = switch (what) {
                    case ATTEMPT ->
                        attempt(scene, "b", SqlScene.exclusive(before.resource()))
                                .thenAccept(answer -> assertThat(
                                                SqlScene.granted(answer).token())
                                        .isGreaterThan(first));
                    case SHARED ->
                        attempt(scene, "b", SqlScene.claim(before.resource(), Mode.SHARED, Claim.Queueing.NEVER))
                                .thenAccept(answer -> assertThat(
                                                SqlScene.granted(answer).token())
                                        .isGreaterThan(first));
                    case RELEASE ->
                        CompletableFuture.supplyAsync(() -> scene.release("a", before))
                                .thenAccept(outcome -> assertThat(outcome).isEqualTo(Release.Outcome.RELEASED));
                };
                untilSomebodyWaits(scene);
                other.commit();
            }
            request.get(60, TimeUnit.SECONDS);
            assertMet(source, "40001", 0);
        }
    }

    /** What the row is asked for. */
    enum Asked {
        ATTEMPT,
        SHARED,
        RELEASE
    }

    /**
     * A table with a trigger, as auditors have them, whose row another transaction has locked, and which then wants the row of the
     * request. The request is the smaller of the two, so it is the one that the server ends (1213).
     */
    @Test
    void aDeadlockIsTriedAgain() throws Exception {
        try (SqlScene scene = Place.MARIADB.scene()) {
            String audit = "audit_" + scene.tables.prefix();
            scene.admin.execute(
                    "CREATE TABLE " + audit + " (id INT PRIMARY KEY, n INT)",
                    "INSERT INTO " + audit + " VALUES (0, 0)");
            for (int i = 1; i <= 20; i++) {
                scene.admin.execute("INSERT INTO " + audit + " VALUES (" + i + ", 0)");
            }
            WatchedDataSource source = watched(scene, connection -> {});
            Claim claim = SqlScene.exclusive(SqlScene.lock());
            scene.granted("a", claim);
            scene.sql("CREATE TRIGGER " + audit + "t BEFORE UPDATE ON {lock} FOR EACH ROW UPDATE " + audit
                    + " SET n = n + 1 WHERE id = 0");
            CompletableFuture<Release.Outcome> request;
            try (Connection other = transaction(scene);
                    Statement statement = other.createStatement()) {
                statement.execute("UPDATE " + audit + " SET n = n + 1");
                request = CompletableFuture.supplyAsync(() -> scene.release("a", claim));
                untilSomebodyWaits(scene);
                execute(scene, other, "UPDATE {lock} SET version = version + 1 WHERE name = ?", claim.resource());
                other.commit();
            }
            assertThat(request.get(60, TimeUnit.SECONDS)).isEqualTo(Release.Outcome.RELEASED);
            assertMet(source, "40001", 1213);
            assertThat(scene.token(claim.resource())).isZero();
        }
    }

    /** The server gives up waiting for a row after a second (1205); the request has more time than that. */
    @Test
    void aWaitForARowThatTheServerGivesUpIsTriedAgain() throws Exception {
        try (SqlScene scene = Place.MARIADB.scene()) {
            WatchedDataSource source = watched(scene, connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET SESSION innodb_lock_wait_timeout = 1");
                }
            });
            Claim before = SqlScene.exclusive(SqlScene.lock());
            long first = scene.granted("a", before).token();
            scene.release("a", before);
            CompletableFuture<Answer> request;
            try (Connection other = transaction(scene)) {
                execute(scene, other, "UPDATE {lock} SET version = version + 1 WHERE name = ?", before.resource());
                request = attempt(scene, "b", SqlScene.exclusive(before.resource()));
                TestTimeouts.until(
                        "the server has given up once", () -> !source.problems().isEmpty());
                assertThat(request).isNotDone();
                other.commit();
            }
            assertThat(SqlScene.granted(request.get(60, TimeUnit.SECONDS)).token())
                    .isGreaterThan(first);
            assertMet(source, Databases.isMySqlForMariaDb() ? "40001" : "HY000", 1205);
        }
    }

    /** Two first uses of a name: the row is there when the second one inserts it. */
    @ParameterizedTest
    @EnumSource(Place.class)
    void aRowThatSomebodyElseInsertsFirstIsUsed(Place place) throws Exception {
        try (SqlScene scene = place.scene();
                Connection other = scene.admin.connect()) {
            WatchedDataSource source = watched(scene, connection -> {});
            Resource lock = SqlScene.lock();
            AtomicInteger raced = new AtomicInteger();
            source.fault((when, method, text) -> {
                if (when == WatchedDataSource.When.BEFORE
                        && method.startsWith("execute")
                        && text.startsWith("INSERT")
                        && raced.getAndIncrement() == 0) {
                    scene.dialect.insert(other, lock);
                }
            });
            scene.granted("b", SqlScene.exclusive(lock));
            assertThat(raced.get()).isPositive();
            assertThat(scene.number("SELECT COUNT(*) FROM {lock}")).isEqualTo(1);
            if (!scene.dialect.unlessThere().isEmpty()) {
                assertThat(source.problems()).as("the statement allows for it").isEmpty();
            } else {
                assertThat(source.problems())
                        .isNotEmpty()
                        .allMatch(problem -> SqlProblem.of(problem) == SqlProblem.DUPLICATE);
            }
        }
    }

    /** In a serializable transaction of PostgreSQL an insert that finds a row which it cannot see fails (40001). */
    @Test
    void aRowThatSomebodyElseIsInsertingIsWaitedFor() throws Exception {
        try (SqlScene scene = Place.POSTGRES.scene()) {
            WatchedDataSource source = watched(scene, RealConflictsTest::serializable);
            Resource lock = SqlScene.lock();
            CompletableFuture<Answer> request;
            try (Connection other = transaction(scene)) {
                scene.dialect.insert(other, lock);
                request = attempt(scene, "b", SqlScene.exclusive(lock));
                untilSomebodyWaits(scene);
                other.commit();
            }
            assertThat(request.get(60, TimeUnit.SECONDS)).isInstanceOf(Answer.Granted.class);
            assertMet(source, "40001", 0);
        }
    }

    /** A row that is only read inside a serializable transaction can fail at the commit, or at the next statement. */
    @Test
    void manyRequestsAtOnceInSerializableTransactionsAllEndWell() throws Exception {
        try (SqlScene scene = Place.POSTGRES.scene()) {
            WatchedDataSource source = watched(scene, connection -> {
                serializable(connection);
                connection.setAutoCommit(false);
            });
            Resource lock = SqlScene.lock();
            List<Long> granted = Crowd.threads(4, thread -> {
                long count = 0;
                for (int i = 0; i < 25; i++) {
                    Claim claim = SqlScene.claim(lock, Mode.SHARED, Claim.Queueing.NEVER);
                    String keeper = thread % 2 == 0 ? "a" : "b";
                    scene.granted(keeper, claim);
                    count += scene.release(keeper, claim) == Release.Outcome.RELEASED ? 1 : 0;
                }
                return count;
            });
            assertThat(granted).containsOnly(25L);
            assertThat(source.problems()).allMatch(problem -> SqlProblem.of(problem) == SqlProblem.CONFLICT);
            assertThat(scene.token(lock)).isZero();
        }
    }
}
