package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.sql.SqlDatabase;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Updates by version lose nothing, sell nothing twice, and give up with a reason. */
@Timeout(300)
final class VersionedUpdateTest {

    private static final int ROUNDS = 10;

    private static String table(TestDatabase on, int stock) {
        String table = on.table("id bigint PRIMARY KEY, stock bigint NOT NULL, version bigint DEFAULT 0 NOT NULL");
        on.database()
                .execute(
                        "INSERT INTO " + table + " (id, stock) VALUES (1, " + stock + ")",
                        "CREATE TABLE " + table + "_order (worker bigint)");
        return table;
    }

    private static VersionedUpdate goods(String table) {
        return VersionedUpdate.of(table).key("id").version("version");
    }

    @ParameterizedTest
    @EnumSource
    void whatWasReadIsWrittenWithTheNextVersion(TestDatabase on) throws Exception {
        String table = table(on, 10);
        VersionedUpdate goods = goods(table);
        DataSource source = on.database().dataSource();

        assertThat(goods.update(source, 1, row -> RowChange.set("stock", row.getLong("stock") - 3)))
                .isEqualTo(new VersionedUpdate.Result(true, true, 1));
        assertThat(goods.update(source, 1, row -> RowChange.none()))
                .isEqualTo(new VersionedUpdate.Result(false, true, 1));
        assertThat(goods.update(source, 2, row -> RowChange.set("stock", 1)))
                .isEqualTo(new VersionedUpdate.Result(false, false, 1));

        assertThat(on.database().number("SELECT stock FROM " + table)).isEqualTo(7);
        assertThat(on.database().number("SELECT version FROM " + table)).isEqualTo(1);
        assertThat(goods.counts()).isEqualTo(new VersionedUpdate.Counts(1, 0, 0));
    }

    /** The value is the same as before, and yet the row was changed. */
    @ParameterizedTest
    @EnumSource
    void aValueThatChangedAndChangedBackIsNoticed(TestDatabase on) throws Exception {
        String table = table(on, 10);
        VersionedUpdate goods = goods(table);
        SqlDatabase database = on.database();
        int[] reads = {0};
        VersionedUpdate.Result result = goods.update(database.dataSource(), 1, row -> {
            if (reads[0]++ == 0) {
                database.execute(
                        "UPDATE " + table + " SET stock = 9, version = version + 1",
                        "UPDATE " + table + " SET stock = 10, version = version + 1");
            }
            return RowChange.set("stock", row.getLong("stock") - 1);
        });

        assertThat(result.attempts()).isEqualTo(2);
        assertThat(goods.counts().conflicts()).isEqualTo(1);
        assertThat(goods.counts().conflictRate()).isEqualTo(0.5);
        assertThat(database.number("SELECT version FROM " + table)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void afterTooManyConflictsTheReasonIsTold(TestDatabase on) throws Exception {
        String table = table(on, 10);
        VersionedUpdate goods = goods(table).attempts(3);
        SqlDatabase database = on.database();
        assertThatThrownBy(() -> goods.update(database.dataSource(), 1, row -> {
                    database.execute("UPDATE " + table + " SET version = version + 1");
                    return RowChange.set("stock", 0);
                }))
                .isInstanceOfSatisfying(VersionConflictException.class, e -> {
                    assertThat(e.attempts()).isEqualTo(3);
                    assertThat(e.firstVersion()).isEqualTo(0);
                    assertThat(e.lastVersion()).isEqualTo(2);
                })
                .hasMessageContaining(table + " with id 1")
                .hasMessageContaining("from version 0 to 2");
        assertThat(database.number("SELECT stock FROM " + table)).isEqualTo(10);
        assertThat(goods.counts()).isEqualTo(new VersionedUpdate.Counts(0, 3, 1));
    }

    @ParameterizedTest
    @EnumSource
    void whatElseWasWrittenGoesWithTheAttempt(TestDatabase on) throws Exception {
        String table = table(on, 10);
        VersionedUpdate goods = goods(table);
        DataSource source = on.database().dataSource();
        assertThatThrownBy(() -> goods.update(source, 1, row -> RowChange.set("stock", 9), connection -> {
                    try (var statement = connection.createStatement()) {
                        statement.executeUpdate("INSERT INTO " + table + "_order VALUES (1)");
                    }
                    throw new IllegalArgumentException("no money");
                }))
                .hasMessage("no money");
        assertThat(on.database().number("SELECT stock FROM " + table)).isEqualTo(10);
        assertThat(on.database().number("SELECT COUNT(*) FROM " + table + "_order"))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource
    void oneStatementChecksAndWrites(TestDatabase on) throws Exception {
        String table = table(on, 1);
        VersionedUpdate goods = goods(table);
        RowChange one = RowChange.sql("stock = stock - ?", 1);
        try (Connection connection = on.database().connect()) {
            assertThat(goods.applyTo(connection, 1, 7, one, "stock > 0")).isFalse();
            assertThat(goods.applyTo(connection, 1, 0, one, "stock > 0")).isTrue();
            assertThat(goods.applyTo(connection, 1, 1, one, "stock > 0")).isFalse();
            assertThat(goods.apply(connection, 1, one, "stock > ?", 0)).isFalse();
            assertThat(goods.apply(connection, 1, RowChange.set("stock", 5), ""))
                    .isTrue();
        }
        assertThat(on.database().number("SELECT stock FROM " + table)).isEqualTo(5);
        assertThat(on.database().number("SELECT version FROM " + table)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void threadsAndProcessesSellEachPieceOnce(TestDatabase on) throws Exception {
        // Fewer pieces than buyers, so that the end of the stock is met too.
        int stock = Crowd.THREADS * ROUNDS + 100;
        String table = table(on, stock);
        long sold = 0;
        for (long one : Crowd.threads(
                Crowd.THREADS, worker -> IdiomJobs.named("versioned").run(on.database(), table, worker, ROUNDS))) {
            sold += one;
        }
        assertThat(on.database().number("SELECT stock FROM " + table)).isEqualTo(stock - sold);
        sold += Crowd.processes(on.remote(), "versioned", table, ROUNDS);

        assertThat(sold).isEqualTo(stock);
        assertThat(on.database().number("SELECT stock FROM " + table)).isZero();
        assertThat(on.database().number("SELECT version FROM " + table)).isEqualTo(stock);
        assertThat(on.database().number("SELECT COUNT(*) FROM " + table + "_order"))
                .isEqualTo(stock);
    }

    @ParameterizedTest
    @EnumSource
    void theFormOfOneStatementSellsEachPieceOnce(TestDatabase on) throws Exception {
        int stock = Crowd.THREADS * ROUNDS + 100;
        String table = table(on, stock);
        List<Long> sold = Crowd.threads(
                Crowd.THREADS, worker -> IdiomJobs.named("sale").run(on.database(), table, worker, ROUNDS));
        long all = sold.stream().mapToLong(Long::longValue).sum() + Crowd.processes(on.remote(), "sale", table, ROUNDS);
        assertThat(all).isEqualTo(stock);
        assertThat(on.database().number("SELECT stock FROM " + table)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void anAttemptIsTwoRoundTripsAndTheShortFormOne(TestDatabase on) throws Exception {
        VersionedUpdate goods = goods(table(on, 10));
        int port = (on == TestDatabase.POSTGRESQL ? Databases.postgres() : Databases.mariaDb()).port();
        try (TurnCounter counter = TurnCounter.to(port);
                Connection connection = counter.through(on.database()).connect()) {
            goods.apply(connection, 1, RowChange.sql("stock = stock - 1"), "stock > 0");
            counter.turns();
            goods.apply(connection, 1, RowChange.sql("stock = stock - 1"), "stock > 0");
            assertThat(counter.turns()).as("one statement").isEqualTo(1);
            DataSource source = always(connection);
            goods.update(source, 1, row -> RowChange.set("stock", 1));
            assertThat(counter.turns()).as("read and write").isEqualTo(2);
        }
    }

    /** A pool of one connection, which closing does not close. */
    private static DataSource always(Connection connection) {
        Object kept = proxy(
                Connection.class,
                (self, method, args) -> method.getName().equals("close") ? null : method.invoke(connection, args));
        return (DataSource) proxy(DataSource.class, (self, method, args) -> kept);
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }
}
