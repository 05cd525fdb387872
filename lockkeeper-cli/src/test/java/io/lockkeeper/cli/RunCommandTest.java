package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
@Timeout(300)
class RunCommandTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"true, 0", "exit 123, 123", "kill -HUP $$, 129"})
    void passesTheExitCodeOn(String script, int expected) throws Exception {
        assertThat(run("x", "--", "sh", "-c", script).exitCode()).isEqualTo(expected);
    }

    @Test
    void theCommandSeesItsLockAndOurStreams() throws Exception {
        Cli cli = run(
                "orders/42",
                "--",
                "sh",
                "-c",
                "echo \"$LOCKKEEPER_NAME $LOCKKEEPER_TOKEN $LOCKKEEPER_ID\"; echo e >&2");
        assertThat(cli.exitCode()).isZero();
        assertThat(cli.out()).matches("orders/42 [1-9][0-9]* [0-9A-Za-z]\\S+\n");
        assertThat(cli.err()).isEqualTo("e\n");
    }

    @Test
    void tokensIncrease() throws Exception {
        long first = token();
        assertThat(token()).isGreaterThan(first);
    }

    private long token() throws Exception {
        Cli cli = run("x", "--", "sh", "-c", "echo $LOCKKEEPER_TOKEN");
        assertThat(cli.exitCode()).isZero();
        return Long.parseLong(cli.out().strip());
    }

    @Test
    void withoutAStoreItUsesAFolderInTheHomeOfItsUser() throws Exception {
        assertThat(Cli.start(folder, "run", "x", "--", "true").exitCode()).isZero();
        assertThat(folder.resolve(".lockkeeper")).isDirectory();
    }

    @Test
    void aCommandThatIsNotThereIsToldOfAsShellsDo() throws Exception {
        Cli missing = run("x", "--", "no-such-command");
        assertThat(missing.exitCode()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(missing.err()).isEqualTo("lockkeeper: The command 'no-such-command' was not found\n");

        Path file = Files.writeString(folder.resolve("plain"), "text");
        Cli plain = run("x", "--", file.toString());
        assertThat(plain.exitCode()).isEqualTo(ExitCode.NOT_EXECUTABLE);
        assertThat(plain.err()).hasLineCount(1).contains("not an executable file");
    }

    @Test
    void aStoreThatCannotBeUsedIsOneSentence() throws Exception {
        Path file = Files.writeString(folder.resolve("not-a-folder"), "");
        Cli cli = Cli.start(folder, "run", "x", "--on", "file:" + file + "/below", "--", "true");
        assertThat(cli.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(cli.err()).hasLineCount(1);
    }

    @Test
    void givesUpWhenTheWaitRunsOut() throws Exception {
        Path begun = folder.resolve("begun");
        Cli holder = run("x", "--", "sh", "-c", "echo $$ >" + begun + "; exec sleep 600");
        long command = holder.pid(begun);
        Path never = folder.resolve("never");
        Cli waiter = run("x", "--wait", "200ms", "--", "touch", never.toString());
        assertThat(waiter.exitCode()).isEqualTo(ExitCode.NOT_ACQUIRED);
        assertThat(waiter.err())
                .hasLineCount(1)
                .contains("'x'")
                .contains("see lockkeeper ls --on file:" + folder.resolve("locks"));
        assertThat(never).doesNotExist();
        holder.signal("TERM");
        assertThat(holder.exitCode()).isEqualTo(143);
        assertThat(Eventually.runs(command)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"INT", "TERM", "HUP"})
    void forwardsSignalsToTheCommand(String signal) throws Exception {
        Path begun = folder.resolve("begun");
        Cli cli = run(
                "x",
                "--",
                "sh",
                "-c",
                "trap 'exit 42' " + signal + "; echo >" + begun + "; while :; do sleep 0.05; done");
        Eventually.await("it has begun", () -> Files.exists(begun));
        cli.signal(signal);
        assertThat(cli.exitCode()).isEqualTo(42);
    }

    @Test
    void underNohupTheCommandGoesOnIgnoringHup() throws Exception {
        Path begun = folder.resolve("begun");
        Path heard = folder.resolve("heard");
        Cli cli = Cli.startIgnoringHup(
                folder,
                runLine(
                        "x",
                        "--",
                        "sh",
                        "-c",
                        "kill -HUP $$; trap 'exit 42' TERM; echo >" + begun + "; while [ ! -e " + heard
                                + " ]; do sleep 0.05; done; exit 7"));
        cli.line(begun);
        cli.signal("HUP");
        Files.createFile(heard);
        assertThat(cli.exitCode()).isEqualTo(7);
    }

    @Test
    void aSignalEndsTheWaitAndLeavesNothingBehind() throws Exception {
        Path begun = folder.resolve("begun");
        Cli holder = run("x", "--", "sh", "-c", "echo $$ >" + begun + "; exec sleep 600");
        holder.pid(begun);
        Cli waiter = run("x", "--", "touch", folder.resolve("never").toString());
        Eventually.await("it waits", () -> waits(waiter));
        waiter.signal("TERM");
        assertThat(waiter.exitCode()).isEqualTo(143);
        holder.signal("TERM");
        assertThat(holder.exitCode()).isEqualTo(143);
        assertThat(folder.resolve("never")).doesNotExist();
        assertThat(run("x", "--wait", "0s", "--", "true").exitCode()).isZero();
    }

    /** Its guardian runs, so it has come as far as asking for the lock. */
    private static boolean waits(Cli waiter) {
        return waiter.children() > 0;
    }

    @Test
    void killedItTakesTheWholeGroupOfItsCommandAlong() throws Exception {
        Path child = folder.resolve("child");
        Path grandchild = folder.resolve("grandchild");
        Cli cli = run(
                "x",
                "--",
                "sh",
                "-c",
                "sh -c 'echo $$ >" + grandchild + "; exec sleep 600' & echo $$ >" + child + "; wait");
        long first = cli.pid(child);
        long second = cli.pid(grandchild);
        cli.signal("KILL");
        Eventually.awaitDeath(first);
        Eventually.awaitDeath(second);
        assertThat(run("x", "--wait", "10s", "--", "true").exitCode()).isZero();
    }

    @Test
    void killedItTakesACommandAlongThatIgnoresTerm() throws Exception {
        Path file = folder.resolve("pid");
        Cli cli = run(
                "x",
                "--grace",
                "300ms",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo $$ >" + file + "; while :; do sleep 0.05; done");
        long pid = cli.pid(file);
        cli.signal("KILL");
        Eventually.awaitDeath(pid);
    }

    @Test
    void sharedHoldersRunTogetherAndKeepAWriterOut() throws Exception {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        Cli first = run("x", "--shared", "--", "sh", "-c", "echo $$ >" + one + "; exec sleep 600");
        Cli second = run("x", "--shared", "--", "sh", "-c", "echo $$ >" + two + "; exec sleep 600");
        first.pid(one);
        second.pid(two);
        assertThat(run("x", "--wait", "100ms", "--", "true").exitCode()).isEqualTo(ExitCode.NOT_ACQUIRED);
        first.signal("TERM");
        second.signal("TERM");
        assertThat(first.exitCode()).isEqualTo(143);
        assertThat(second.exitCode()).isEqualTo(143);
    }

    @Test
    void noMoreRunThanThereArePermits() throws Exception {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        Cli first = run("x", "--permits", "1/3", "--", "sh", "-c", "echo $$ >" + one + "; exec sleep 600");
        Cli second = run("x", "--permits", "1/3", "--", "sh", "-c", "echo $$ >" + two + "; exec sleep 600");
        first.pid(one);
        second.pid(two);
        assertThat(run("x", "--permits", "2/3", "--wait", "100ms", "--", "true").exitCode())
                .isEqualTo(ExitCode.NOT_ACQUIRED);
        assertThat(run("x", "--permits", "1/3", "--wait", "10s", "--", "true").exitCode())
                .isZero();
        first.signal("TERM");
        second.signal("TERM");
        assertThat(first.exitCode()).isEqualTo(143);
        assertThat(second.exitCode()).isEqualTo(143);
    }

    @Test
    void anotherNumberOfPermitsThanTheStoreHasIsAMistakeOnTheCommandLine() throws Exception {
        assertThat(run("x", "--permits", "1/3", "--", "true").exitCode()).isZero();
        Cli other = run("x", "--permits", "2/4", "--", "true");
        assertThat(other.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(other.err())
                .isEqualTo("lockkeeper: The semaphore 'x' has 3 permits in the store, not 4; use --permits 2/3,"
                        + " or another name\n");
    }

    @Test
    void endsTheCommandWhenTheStoreIsGoneForLongerThanTheLease() throws Exception {
        Path file = folder.resolve("pid");
        Cli cli;
        long pid;
        try (RedisServer store = RedisServer.start()) {
            cli = Cli.start(
                    folder,
                    "run",
                    "x",
                    "--on",
                    store.url(),
                    "--lease",
                    "6s",
                    "--",
                    "sh",
                    "-c",
                    "echo $$ >" + file + "; exec sleep 600");
            pid = cli.pid(file);
        }
        assertThat(cli.exitCode()).isEqualTo(ExitCode.LOST);
        assertThat(cli.err()).contains("Lost the lock 'x'");
        assertThat(Eventually.runs(pid)).isFalse();
    }

    private Cli run(String name, String... rest) throws IOException {
        return Cli.start(folder, runLine(name, rest));
    }

    private String[] runLine(String name, String... rest) {
        String[] line = new String[rest.length + 4];
        line[0] = "run";
        line[1] = name;
        line[2] = "--on";
        line[3] = "file:" + folder.resolve("locks");
        System.arraycopy(rest, 0, line, 4, rest.length);
        return line;
    }
}
