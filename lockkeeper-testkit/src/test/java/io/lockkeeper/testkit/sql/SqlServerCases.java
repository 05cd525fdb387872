package io.lockkeeper.testkit.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.TestTimeouts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What holds for every database server. One serves all cases; each has a database of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SqlServerCases<S extends SqlServer> {

    S server;
    SqlDatabase database;

    abstract S start();

    @BeforeAll
    void startServer() {
        server = start();
    }

    @AfterAll
    void closeServer() {
        Path folder = folder();
        server.close();
        assertThat(server.isAlive()).isFalse();
        assertThat(folder).doesNotExist();
    }

    abstract Path folder();

    @BeforeEach
    void createDatabase() {
        database = server.createDatabase();
        database.execute("CREATE TABLE t(id INT PRIMARY KEY, n INT NOT NULL)", "INSERT INTO t VALUES(1, 10)");
    }

    @Test
    void listensOnTheLoopbackAddressOnly() throws IOException {
        assertThat(Files.readAllLines(Path.of("/proc/net/tcp")))
                .filteredOn(line -> line.contains(":%04X 00000000:0000 0A".formatted(server.port())))
                .singleElement()
                .asString()
                .contains("0100007F:");
    }

    @Test
    void pausedItAnswersNothingAndThenEverything() throws Exception {
        try (Connection open = database.connect()) {
            assertThat(count(open)).isEqualTo(1);
            server.pause();
            CompletableFuture<Integer> old = inThread(() -> count(open));
            CompletableFuture<Integer> fresh = inThread(() -> {
                try (Connection connection = database.connect()) {
                    return count(connection);
                }
            });
            assertThatThrownBy(() -> old.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(fresh).isNotDone();
            server.resume();
            assertThat(old.get(60, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(fresh.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void killedAndStartedAgainItHasWhatWasCommitted() throws Exception {
        int port = server.port();
        try (Connection open = database.connect();
                Statement statement = open.createStatement()) {
            for (int i = 2; i <= 100; i++) {
                statement.execute("INSERT INTO t VALUES(" + i + ", 0)");
            }
            server.kill();
            assertThat(server.isAlive()).isFalse();
            assertThatThrownBy(() -> count(open)).isInstanceOf(SQLException.class);
            assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
            server.restart();
        }
        assertThat(server.port()).isEqualTo(port);
        assertThat(database.number("SELECT count(*) FROM t")).isEqualTo(100);
    }

    @Test
    void killedWhilePausedItStartsAgain() {
        server.pause();
        server.kill();
        server.restart();
        assertThat(database.number("SELECT n FROM t")).isEqualTo(10);
    }

    @Test
    void readOnlyItRefusesWritesOfOpenConnectionsToo() throws Exception {
        SqlDatabase app = server.asApp(database);
        grant(database, "SELECT, UPDATE");
        try (Connection open = app.connect();
                Statement statement = open.createStatement()) {
            statement.execute("UPDATE t SET n = n + 1");
            server.readOnly(true);
            try {
                assertThatThrownBy(() -> statement.execute("UPDATE t SET n = n + 1"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("read-only");
                assertThat(count(open)).isEqualTo(1);
            } finally {
                server.readOnly(false);
            }
            TestTimeouts.until("writes are accepted again", () -> writes(statement));
        }
        assertThat(database.number("SELECT n FROM t")).isEqualTo(12);
    }

    private static boolean writes(Statement statement) {
        try {
            statement.execute("UPDATE t SET n = n + 1");
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }

    abstract void grant(SqlDatabase database, String rights);

    @Test
    void theUserOfLeastPrivilegeMayDoWhatItWasGranted() {
        SqlDatabase app = server.asApp(database);
        assertThatThrownBy(() -> app.execute("CREATE TABLE mine(id INT)")).hasRootCauseInstanceOf(SQLException.class);
        assertThatThrownBy(() -> app.execute("UPDATE t SET n = 1")).hasRootCauseInstanceOf(SQLException.class);
        grant(database, "SELECT, UPDATE");
        app.execute("UPDATE t SET n = 1");
        assertThatThrownBy(() -> app.execute("DELETE FROM t")).hasRootCauseInstanceOf(SQLException.class);
        assertThat(app.number("SELECT n FROM t")).isEqualTo(1);
    }

    @Test
    void theFullUrlNamesTheUser() throws Exception {
        try (Connection connection = new SqlDatabase(database.fullUrl(), "", "").connect()) {
            assertThat(count(connection)).isEqualTo(1);
        }
        assertThat(database.dataSource().getConnection()).satisfies(Connection::close);
    }

    abstract String connectionsOf(SqlDatabase database);

    @Test
    void endsTheConnectionsItIsToldTo() throws Exception {
        SqlDatabase other = server.createDatabase();
        try (Connection victim = database.connect();
                Connection witness = other.connect()) {
            assertThat(server.terminateConnections(connectionsOf(database))).isEqualTo(1);
            assertThatThrownBy(() -> count(victim)).isInstanceOf(SQLException.class);
            assertThat(witness.isValid(60)).isTrue();
            assertThat(server.terminateConnections()).isPositive();
            assertThatThrownBy(() -> count(witness)).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void allItsProcessesDieWithTheJvmThatStartedItEvenWhenPaused() {
        try (ChildJvm child = ChildJvm.start(ServerProgram.class, getClass().getName())) {
            String[] words = child.receive().split(" ");
            long[] pids =
                    Arrays.stream(words).skip(1).mapToLong(Long::parseLong).toArray();
            assertThat(Arrays.stream(pids)).allMatch(SqlServerCases::isRunning);
            child.kill();
            TestTimeouts.until(
                    "the server is dead too", () -> Arrays.stream(pids).noneMatch(SqlServerCases::isRunning));
            TestTimeouts.until("its folder is gone", () -> !Files.exists(Path.of(words[0])));
        }
    }

    /** A zombie that nobody collects is dead as well. */
    private static boolean isRunning(long pid) {
        try {
            return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    static int count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM t")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    interface Question<T> {
        T ask() throws Exception;
    }

    static <T> CompletableFuture<T> inThread(Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                answer.complete(question.ask());
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return answer;
    }
}
