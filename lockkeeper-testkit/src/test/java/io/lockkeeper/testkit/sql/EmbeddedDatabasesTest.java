package io.lockkeeper.testkit.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedDatabasesTest {

    @TempDir
    Path folder;

    private List<SqlDatabase> fresh() {
        return List.of(
                EmbeddedDatabases.h2InMemory(),
                EmbeddedDatabases.h2File(folder),
                EmbeddedDatabases.sqlite(folder),
                EmbeddedDatabases.sqlite(folder, 5000));
    }

    @Test
    void keepTheirDataBetweenConnections() throws Exception {
        for (SqlDatabase database : fresh()) {
            database.execute("CREATE TABLE t(id INT PRIMARY KEY)", "INSERT INTO t VALUES(7)");
            assertThat(database.number("SELECT id FROM t")).as("%s", database).isEqualTo(7);
            try (Connection full = new SqlDatabase(database.fullUrl(), "", "").connect();
                    Connection pooled = database.dataSource().getConnection()) {
                assertThat(full.isValid(60) && pooled.isValid(60)).isTrue();
            }
        }
    }

    @Test
    void areNewEachTime() {
        for (SqlDatabase database : fresh()) {
            database.execute("CREATE TABLE t(id INT PRIMARY KEY)");
        }
        for (SqlDatabase database : fresh()) {
            assertThatThrownBy(() -> database.execute("SELECT * FROM t")).hasMessageContaining("Cannot execute");
        }
    }

    @Test
    void sqliteHasTheJournalAndTimeoutThatWereWished() {
        SqlDatabase database = EmbeddedDatabases.sqlite(folder, 1234);
        assertThat(database.value("PRAGMA journal_mode")).isEqualTo("wal");
        assertThat(database.number("PRAGMA busy_timeout")).isEqualTo(1234);
        SqlDatabase plain = EmbeddedDatabases.sqlite(folder);
        assertThat(plain.value("PRAGMA journal_mode")).isEqualTo("delete");
        assertThat(plain.number("PRAGMA busy_timeout")).isEqualTo(3000);
    }
}
