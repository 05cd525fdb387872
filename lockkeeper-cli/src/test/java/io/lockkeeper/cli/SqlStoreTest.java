package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.sql.PostgresServer;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command on SQL databases: those whose drivers it carries, and one whose driver is named. */
@Tag("once")
@Timeout(300)
class SqlStoreTest {

    @TempDir
    Path folder;

    /** The jar that has the driver of PostgreSQL. */
    static Path postgresDriver() {
        try {
            return Path.of(DriverManager.getDriver("jdbc:postgresql:app")
                    .getClass()
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (SQLException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite:%s/locks.db?lockkeeper.createTables=true",
                "jdbc:h2:%s/locks;lockkeeper.createTables=true;AUTO_SERVER=TRUE"
            })
    void theDriversOfSqliteAndH2AreThere(String form) throws Exception {
        holdsAndShows(form.formatted(folder));
    }

    @Test
    void anotherDriverIsNamed() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            String url = server.createDatabase()
                    .with("lockkeeper.createTables", "true")
                    .fullUrl();
            Cli without = Cli.start(folder, "ls", "--on", url);
            assertThat(without.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(without.err())
                    .hasLineCount(1)
                    .contains("No driver for jdbc:postgresql: is here", "--driver")
                    .doesNotContain("password");

            String driver = postgresDriver().toString();
            holdsAndShows(url, "--driver", driver);

            Cli demonstration = Cli.start(folder, "demo", "--quick", "--on", url, "--driver", driver);
            assertThat(demonstration.exitCode())
                    .as(demonstration.out() + demonstration.err())
                    .isZero();
            assertThat(demonstration.out()).contains("exactly the stock was sold.\n", "paused past its lease");
        }
    }

    private void holdsAndShows(String url, String... options) throws Exception {
        Path begun = folder.resolve("begun");
        Cli holder = Cli.start(
                folder,
                words(
                        options,
                        "run",
                        "orders",
                        "--on",
                        url,
                        "--",
                        "sh",
                        "-c",
                        "echo $LOCKKEEPER_TOKEN >" + begun + "; exec sleep 600"));
        String token = holder.line(begun);

        Cli list = Cli.start(folder, words(options, "ls", "--on", url));
        assertThat(list.exitCode()).as(list.err()).isZero();
        assertThat(list.out()).contains("orders", token, "sh pid " + holder.pid());
        Cli second = Cli.start(folder, words(options, "run", "orders", "--wait", "0s", "--on", url, "--", "true"));
        assertThat(second.exitCode()).as(second.err()).isEqualTo(ExitCode.NOT_ACQUIRED);

        holder.signal("TERM");
        assertThat(holder.exitCode()).isEqualTo(143);
        assertThat(holder.err()).isEmpty();
        Cli next = Cli.start(folder, words(options, "run", "orders", "--wait", "0s", "--on", url, "--", "true"));
        assertThat(next.exitCode()).as(next.err()).isZero();
        assertThat(next.err()).isEmpty();
    }

    /** The options come after the command's name. */
    private static String[] words(String[] options, String... line) {
        String[] words = new String[line.length + options.length];
        words[0] = line[0];
        System.arraycopy(options, 0, words, 1, options.length);
        System.arraycopy(line, 1, words, 1 + options.length, line.length - 1);
        return words;
    }
}
