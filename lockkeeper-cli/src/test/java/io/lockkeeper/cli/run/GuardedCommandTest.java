package io.lockkeeper.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.cli.Eventually;
import io.lockkeeper.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
@Timeout(180)
class GuardedCommandTest {

    private static final Duration GRACE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private final TestHold hold = new TestHold();

    @Test
    void passesTheExitCodeOn() throws Exception {
        assertThat(run("exit 7")).hasValue(7);
        assertThat(run("true")).hasValue(0);
        assertThat(run("exit " + ExitCode.LOST)).hasValue(ExitCode.LOST);
    }

    @Test
    void aCommandEndedByASignalGives128PlusItsNumber() throws Exception {
        assertThat(run("kill -KILL $$")).hasValue(128 + 9);
        assertThat(run("kill -TERM $$")).hasValue(128 + 15);
    }

    @Test
    void argumentsArriveAsTheyAre() throws Exception {
        Path file = folder.resolve("arguments");
        List<String> command = List.of(
                "sh",
                "-c",
                "for each in \"$@\"; do echo \"[$each]\"; done >\"$0\"",
                file.toString(),
                "",
                "a  b",
                "*",
                "$x");
        assertThat(new GuardedCommand(command, GRACE).run(hold, Signals.none())).hasValue(0);
        assertThat(Files.readAllLines(file)).containsExactly("[]", "[a  b]", "[*]", "[$x]");
    }

    @Test
    void tellsTheCommandWhatItHolds() throws Exception {
        Path file = folder.resolve("environment");
        run("echo \"$LOCKKEEPER_NAME $LOCKKEEPER_TOKEN $LOCKKEEPER_ID\" >" + file);
        assertThat(file).hasContent("orders/42 17 a-hold\n");
    }

    @Test
    void theCommandLeadsAProcessGroupOfItsOwn() throws Exception {
        Path file = folder.resolve("groups");
        run("ps -o pid=,pgid= -p $$ >" + file + " || cut -d ' ' -f 1,5 /proc/$$/stat >" + file);
        String[] ids = Files.readString(file).strip().split("\\s+");
        assertThat(ids[0]).isEqualTo(ids[1]);
    }

    @Test
    void waitsForWhatTheCommandLeavesBehind() throws Exception {
        Path file = folder.resolve("late");
        assertThat(run("(sleep 0.5; echo late >" + file + ") & exit 3")).hasValue(3);
        assertThat(file).hasContent("late\n");
    }

    @Test
    void endsTheWholeGroupWhenTheLockIsLost() throws Exception {
        Path child = folder.resolve("child");
        Path grandchild = folder.resolve("grandchild");
        var exit = start(
                GRACE, "sh -c 'echo $$ >" + grandchild + "; exec sleep 600' & echo $$ >" + child + "; wait; sleep 600");
        long first = Eventually.pid(child);
        long second = Eventually.pid(grandchild);
        hold.lose();
        assertThat(exit.get()).isEmpty();
        assertThat(Eventually.runs(first)).isFalse();
        assertThat(Eventually.runs(second)).isFalse();
    }

    @Test
    void aCommandMayTidyUpWithinTheGrace() throws Exception {
        Path begun = folder.resolve("begun");
        Path tidy = folder.resolve("tidy");
        var exit = start(
                GRACE,
                "trap 'echo tidy >" + tidy + "; exit 0' TERM; echo >" + begun + "; while :; do sleep 0.05; done");
        Eventually.await("it has begun", () -> Files.exists(begun));
        hold.lose();
        assertThat(exit.get()).isEmpty();
        assertThat(tidy).hasContent("tidy\n");
    }

    @Test
    void killsACommandThatIgnoresTermAfterTheGrace() throws Exception {
        Path file = folder.resolve("pid");
        var exit = start(Duration.ofMillis(200), "trap '' TERM; echo $$ >" + file + "; while :; do sleep 0.05; done");
        long pid = Eventually.pid(file);
        hold.lose();
        assertThat(exit.get()).isEmpty();
        Eventually.awaitDeath(pid);
    }

    @Test
    void endsAStoppedCommandToo() throws Exception {
        Path file = folder.resolve("pid");
        var exit = start(GRACE, "echo $$ >" + file + "; kill -STOP $$; sleep 600");
        long pid = Eventually.pid(file);
        hold.lose();
        assertThat(exit.get()).isEmpty();
        Eventually.awaitDeath(pid);
    }

    @Test
    void theGuardianGoesWithTheCommand() throws Exception {
        long before = guardians();
        run("true");
        Eventually.await("its guardian is gone", () -> guardians() <= before);
    }

    private static long guardians() {
        return ProcessHandle.current()
                .children()
                .filter(child -> Eventually.runs(child.pid()))
                .count();
    }

    private OptionalInt run(String script) throws InterruptedException {
        return new GuardedCommand(shell(script), GRACE).run(hold, Signals.none());
    }

    /** What the shell says of a child that was ended goes to a file, and not to the console of the build. */
    private List<String> shell(String script) {
        return List.of("sh", "-c", "exec 2>>" + folder.resolve("errors") + "; " + script);
    }

    private CompletableFuture<OptionalInt> start(Duration grace, String script) {
        GuardedCommand command = new GuardedCommand(shell(script), grace);
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return command.run(hold, Signals.none());
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                work -> new Thread(work, "run").start());
    }
}
