package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guards for data in a database admit a holder to a transaction, and from its commit on no earlier one. */
@Timeout(300)
final class JdbcFencingTest {

    private static final int ROUNDS = 40;

    private static String guardTable(TestDatabase on) throws SQLException {
        String table = on.table("seq bigint, token bigint, worker varchar(10)").replace("idiom", "guard");
        try (Connection connection = on.database().connect()) {
            JdbcFencing.inTable(table).createTable(connection);
            JdbcFencing.inTable(table).createTable(connection);
        }
        on.database().execute("CREATE TABLE " + table + "_journal (seq bigint, token bigint, worker varchar(10))");
        return table;
    }

    private static String ownTable(TestDatabase on) {
        String table = on.table("id bigint PRIMARY KEY, writes bigint, fence_token bigint, fence_id varchar(64)");
        on.database().execute("INSERT INTO " + table + " VALUES (1, 0, NULL, NULL)");
        return table;
    }

    private static Connection transaction(SqlDatabase database) throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    @ParameterizedTest
    @EnumSource
    void aStaleHolderIsRefusedAndToldTheTokenThatItLostTo(TestDatabase on) throws Exception {
        String table = guardTable(on);
        JdbcFencing guard = JdbcFencing.inTable(table);
        try (Lockkeeper keeper = Lockkeeper.of(MemoryBackend.create());
                Connection connection = transaction(on.database())) {
            ExclusiveHold stale = keeper.lock("till").acquire();
            guard.admit(connection, "till", stale);
            guard.admit(connection, "till", stale);
            connection.commit();
            keeper.forceRelease("till");
            ExclusiveHold next = keeper.lock("till").acquire();
            guard.admit(connection, "till", next);
            connection.commit();

            assertThatThrownBy(() -> guard.admit(connection, "till", stale))
                    .isInstanceOfSatisfying(StaleTokenException.class, e -> {
                        assertThat(e.token()).isEqualTo(stale.token());
                        assertThat(e.seen()).isEqualTo(next.token());
                    })
                    .hasMessageContaining("till")
                    .hasMessageContaining(Long.toString(next.token()));
            connection.rollback();
            guard.admit(connection, "till", next);
            guard.admit(connection, "Till", stale);
            guard.admit(connection, "till ", stale);
            guard.admit(connection, "\0\\", stale);
            connection.commit();
        }
        assertThat(on.database().number("SELECT COUNT(*) FROM " + table)).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void anEqualTokenOfAnotherHoldIsRefused(TestDatabase on) throws Exception {
        JdbcFencing guard = JdbcFencing.inTable(guardTable(on));
        String own = ownTable(on);
        FencedRows rows = JdbcFencing.columnsOf(own, "id");
        TokenHold first = new TokenHold(7, "first");
        TokenHold second = new TokenHold(7, "second");
        try (Connection connection = transaction(on.database())) {
            guard.admit(connection, "till", first);
            rows.admit(connection, 1, first);
            connection.commit();
            assertThatThrownBy(() -> guard.admit(connection, "till", second)).isInstanceOf(StaleTokenException.class);
            connection.rollback();
            assertThatThrownBy(() -> rows.admit(connection, 1, second)).isInstanceOf(StaleTokenException.class);
            connection.rollback();
            rows.admit(connection, 1, first);
            connection.commit();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFencedUpdateWritesAndChecksAtOnce(TestDatabase on) throws Exception {
        String own = ownTable(on);
        FencedRows rows = JdbcFencing.columnsOf(own, "id");
        TokenHold stale = new TokenHold(41, "stale");
        TokenHold next = new TokenHold(42, "next");
        try (Connection connection = on.database().connect()) {
            rows.update(connection, 1, stale, "writes = ?", 10);
            rows.update(connection, 1, stale, "writes = ?", 10);
            rows.update(connection, 1, next, "writes = writes + 1");
            assertThatThrownBy(() -> rows.update(connection, 1, stale, "writes = ?", 99))
                    .isInstanceOfSatisfying(
                            StaleTokenException.class, e -> assertThat(e.seen()).isEqualTo(42))
                    .hasMessageContaining(own + " with id 1");
            assertThatThrownBy(() -> rows.update(connection, 2, next, "writes = 1"))
                    .isInstanceOf(MissingRowException.class)
                    .hasMessageContaining(own + " with id 2");
        }
        assertThat(on.database().number("SELECT writes FROM " + own)).isEqualTo(11);
    }

    /** What is not committed is not seen: the later holder rolled back, so the earlier one may still write. */
    @ParameterizedTest
    @EnumSource
    void aHoldWhoseTransactionIsRolledBackWasNotAdmitted(TestDatabase on) throws Exception {
        JdbcFencing guard = JdbcFencing.inTable(guardTable(on));
        try (Connection connection = transaction(on.database())) {
            guard.admit(connection, "till", new TokenHold(2, "b"));
            connection.rollback();
            guard.admit(connection, "till", new TokenHold(1, "a"));
            connection.commit();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCheckOutsideATransactionIsRefused(TestDatabase on) throws Exception {
        JdbcFencing guard = JdbcFencing.inTable("any_table");
        try (Connection connection = on.database().connect()) {
            TokenHold hold = new TokenHold(1, "a");
            assertThatThrownBy(() -> guard.admit(connection, "till", hold))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
            FencedRows rows = JdbcFencing.columnsOf("any_table", "id");
            assertThatThrownBy(() -> rows.admit(connection, 1, hold)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aNameThatIsNoIdentifierIsRefused() {
        assertThatThrownBy(() -> JdbcFencing.inTable("a; DROP TABLE b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JdbcFencing.columnsOf("a", "id = 1 OR id"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(JdbcFencing.inTable("shop.\"Fence\"")).isNotNull();
    }

    /** Drivers of MySQL may count changed rows only, and either driver may be used. */
    @Test
    void theCountOfChangedRowsDoesNotMatter() throws Exception {
        String table = guardTable(TestDatabase.MARIADB);
        String own = ownTable(TestDatabase.MARIADB);
        SqlDatabase maria = TestDatabase.MARIADB.database();
        SqlDatabase mysql =
                new SqlDatabase(maria.url().replace("jdbc:mariadb:", "jdbc:mysql:"), maria.user(), maria.password());
        long token = 0;
        for (SqlDatabase database :
                List.of(maria, maria.with("useAffectedRows", "true"), mysql, mysql.with("useAffectedRows", "true"))) {
            TokenHold stale = new TokenHold(++token, "s");
            TokenHold next = new TokenHold(++token, "n");
            long seen = token;
            JdbcFencing guard = JdbcFencing.inTable(table);
            FencedRows rows = JdbcFencing.columnsOf(own, "id");
            try (Connection connection = transaction(database)) {
                for (TokenHold hold : List.of(stale, stale, next, next)) {
                    guard.admit(connection, "till", hold);
                    rows.update(connection, 1, hold, "writes = 5");
                }
                assertThatThrownBy(() -> guard.admit(connection, "till", stale))
                        .as(database.url())
                        .isInstanceOfSatisfying(
                                StaleTokenException.class,
                                e -> assertThat(e.seen()).isEqualTo(seen));
                assertThatThrownBy(() -> rows.update(connection, 1, stale, "writes = 6"))
                        .isInstanceOf(StaleTokenException.class);
                connection.commit();
            }
        }
        assertThat(maria.number("SELECT writes FROM " + own)).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    void threadsWriteInTheOrderOfTheirTokens(TestDatabase on) throws Exception {
        String table = guardTable(on);
        List<Long> admitted = Crowd.threads(
                Crowd.THREADS, worker -> IdiomJobs.named("guard").run(on.database(), table, worker, ROUNDS));
        inOrder(on, table, admitted.stream().mapToLong(Long::longValue).sum());
    }

    @ParameterizedTest
    @EnumSource
    void processesWriteInTheOrderOfTheirTokens(TestDatabase on) throws Exception {
        String table = guardTable(on);
        inOrder(on, table, Crowd.processes(on.remote(), "guard", table, ROUNDS));
    }

    private static void inOrder(TestDatabase on, String table, long admitted) throws SQLException {
        long last = 0;
        String lastWorker = "";
        long count = 0;
        try (Connection connection = on.database().connect();
                Statement statement = connection.createStatement();
                var rows =
                        statement.executeQuery("SELECT seq, token, worker FROM " + table + "_journal ORDER BY seq")) {
            while (rows.next()) {
                assertThat(rows.getLong("seq")).isEqualTo(++count);
                assertThat(rows.getLong("token")).isGreaterThanOrEqualTo(last);
                if (rows.getLong("token") == last) {
                    assertThat(rows.getString("worker")).isEqualTo(lastWorker);
                }
                last = rows.getLong("token");
                lastWorker = rows.getString("worker");
            }
        }
        assertThat(count).isEqualTo(admitted).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void noAdmittedUpdateOfAThreadOrProcessIsLost(TestDatabase on) throws Exception {
        String table = ownTable(on);
        long written = 0;
        for (long one : Crowd.threads(
                Crowd.THREADS, worker -> IdiomJobs.named("fencedRow").run(on.database(), table, worker, ROUNDS))) {
            written += one;
        }
        assertThat(on.database().number("SELECT writes FROM " + table)).isEqualTo(written);
        on.database().execute("UPDATE " + table + " SET fence_token = NULL, fence_id = NULL");
        written += Crowd.processes(on.remote(), "fencedRow", table, ROUNDS);
        assertThat(on.database().number("SELECT writes FROM " + table)).isEqualTo(written);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void theGuardIsOneRoundTrip(TestDatabase on) throws Exception {
        JdbcFencing guard = JdbcFencing.inTable(guardTable(on));
        FencedRows rows = JdbcFencing.columnsOf(ownTable(on), "id");
        int port = (on == TestDatabase.POSTGRESQL ? Databases.postgres() : Databases.mariaDb()).port();
        try (TurnCounter counter = TurnCounter.to(port);
                Connection connection = counter.through(on.database()).connect()) {
            rows.update(connection, 1, new TokenHold(1, "a"), "writes = 1");
            counter.turns();
            rows.update(connection, 1, new TokenHold(2, "b"), "writes = 1");
            assertThat(counter.turns()).as("a fenced write").isEqualTo(1);
            connection.setAutoCommit(false);
            guard.admit(connection, "till", new TokenHold(1, "a"));
            counter.turns();
            guard.admit(connection, "till", new TokenHold(2, "b"));
            guard.admit(connection, "till", new TokenHold(2, "b"));
            assertThat(counter.turns()).as("two checks").isEqualTo(2);
            assertThatThrownBy(() -> guard.admit(connection, "till", new TokenHold(1, "a")))
                    .isInstanceOf(StaleTokenException.class);
            assertThat(counter.turns()).as("a refusal").isEqualTo(on == TestDatabase.MARIADB ? 1 : 2);
            connection.rollback();
        }
    }
}
