package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ChildJvmTest {

    @Test
    void talksInLines() {
        try (ChildJvm child = ChildJvm.start(Echo.class)) {
            assertThat(child.ask("hello")).isEqualTo("you said hello");
            assertThat(child.ask("grüße 🔒")).isEqualTo("you said grüße 🔒");
            child.send("end");
            assertThat(child.waitFor(Duration.ofSeconds(60))).isEqualTo(7);
            assertThatThrownBy(child::receive)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("has ended");
        }
    }

    /** What a child logs is recorded with what this JVM prints, so that a build that passes prints nothing. */
    @Test
    void itsErrorsAreWrittenToTheStandardErrorOfThisJvm() {
        PrintStream before = System.err;
        var recorded = new ByteArrayOutputStream();
        System.setErr(new PrintStream(recorded, true, StandardCharsets.UTF_8));
        try (ChildJvm child = ChildJvm.start(Echo.class)) {
            child.ask("warn of something");
            TestTimeouts.until(
                    "the line is here",
                    () -> recorded.toString(StandardCharsets.UTF_8).contains("warn of something"));
        } finally {
            System.setErr(before);
        }
    }

    @Test
    void saysNothingWhileStoppedAndGoesOnAfterwards() {
        try (ChildJvm child = ChildJvm.start(Echo.class)) {
            child.ask("hello");
            child.pause();
            child.send("are you there");
            assertThatThrownBy(() -> child.receive(Duration.ofMillis(300)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("said nothing");
            child.resume();
            assertThat(child.receive()).isEqualTo("you said are you there");
        }
    }

    @Test
    void canBeKilledAlsoWhileStopped() {
        try (ChildJvm child = ChildJvm.start(Echo.class)) {
            child.ask("hello");
            child.pause();
            child.kill();
            assertThat(child.isAlive()).isFalse();
        }
    }

    @Test
    void endsWithItsParentEvenIfThatIsKilledAndItIsStopped() throws Exception {
        try (ChildJvm parent = ChildJvm.start(Echo.Parent.class)) {
            long pid = Long.parseLong(parent.receive());
            ProcessHandle grandchild = ProcessHandle.of(pid).orElseThrow();
            CompletableFuture<ProcessHandle> end = grandchild.onExit();
            parent.kill();
            end.get(60, TimeUnit.SECONDS);
        }
    }
}
