package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is answered without taking a lock. */
class CommandLineTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run x true | two dashes",
                "run x -- | two dashes",
                "run -- true | NAME",
                "run x --wait 30 -- true | 500ms, 30s, 2m or 1h",
                "run x --permits 5/4 -- true | 5 is more than 4",
                "run x --permits 0/4 -- true | 1/4",
                "run x --permits 1/0 -- true | 1/4",
                "run x --permits many -- true | 1/4",
                "run x --shared --permits 1/2 -- true | exclude each other",
                "run x --on nowhere:5 -- true | nowhere",
                "run x --lease 1ms --on memory: -- true | lease",
                "run x --frobnicate -- true | --frobnicate",
                "ls x -- true | Only lockkeeper run",
                "demo --on memory:shop | memory:",
                "run x --on jdbc:db2://host/app?password=secret -- true | No driver for jdbc:db2: is here; name its jar with --driver",
                "ls --on jdbc:db2:app | --driver db2.jar",
                "demo --on jdbc:db2:app | --driver db2.jar",
                "ls --on jdbc:sqlite:x --driver nowhere.jar | no driver at nowhere.jar",
                "ls --on jdbc:sqlite:x --driver pom.xml | no JDBC driver in pom.xml",
                "ls --on file:/nowhere --driver pom.xml | --driver is for",
                "demo --on jdbc:h2:mem:shop | inside one process",
                "demo --on jdbc:sqlite::memory: | inside one process",
                "demo --on jdbc:h2:./shop | AUTO_SERVER=TRUE",
                "fly | no command 'fly'; the commands are run, ls and demo",
                "run bro\uFFFDken -- true | LC_ALL",
            })
    void aWrongCommandLineIsOneSentence(String line, String mentions) {
        assertThat(execute(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .hasLineCount(1)
                .startsWith("lockkeeper: ")
                .contains(mentions)
                .doesNotContain("secret");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void withoutACommandItSaysWhichThereAre() {
        assertThat(execute()).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).hasLineCount(1).contains("run, ls and demo");
    }

    @Test
    void verboseShowsWhereAnErrorCameFrom() {
        assertThat(execute("run", "x", "-v", "--on", "nowhere:5", "--", "true")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("\tat io.lockkeeper.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "run --help", "ls --help", "demo --help", "--version"})
    void helpAndVersionAreAnswered(String line) {
        assertThat(execute(line.split(" "))).isZero();
        assertThat(out.toString()).contains("lockkeeper");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:/",
                "memory:",
                "redis://",
                "rediss://",
                "redis-sentinel://",
                "redis-cluster://",
                "redlock://",
                "etcd://",
                "etcds://",
                "jdbc:postgresql://",
                "jdbc:sqlite:",
                "jdbc:h2:",
                "--driver JAR"
            })
    void helpShowsEveryFormOfAUrl(String form) {
        execute("--help");
        assertThat(out.toString()).contains(form);
    }

    @Test
    void theHelpOfACommandSaysWhatMayBeLeftOutAndWhatExitCodesMean() {
        execute("ls", "--help");
        assertThat(out.toString()).contains("[PREFIX]");
        execute("run", "--help");
        assertThat(out.toString()).contains("another number of permits");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://me:secret@host:6379/0 | --on redis://me:...@host:6379/0",
                "redis://:secret@host | --on redis://:...@host",
                "etcd://me:secret@h1:2379,h2/shop | --on etcd://me:...@h1:2379,h2/shop",
                "file:/var/locks | --on file:/var/locks",
                "jdbc:postgresql://host/app?user=me&password=secret | --on 'jdbc:postgresql://host/app?user=me&password=...'",
                "jdbc:h2:/x;USER=me;PASSWORD=secret;AUTO_SERVER=TRUE | --on 'jdbc:h2:/x;USER=me;PASSWORD=...;AUTO_SERVER=TRUE'",
            })
    void whatIsToBeTypedAgainCarriesTheStoreWithoutItsPassword(String url, String shown) {
        StoreOption option = new StoreOption();
        option.url = url;
        assertThat(option.again()).isEqualTo(" " + shown);
    }

    private int execute(String... arguments) {
        return Main.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }
}
