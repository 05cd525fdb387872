package io.lockkeeper.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A run of a leader's task ends once, whatever happens to its thread. */
class LeaderRunTest {

    private final Lockkeeper keeper = Lockkeeper.connect("memory:");
    private final ExclusiveHold leadership = keeper.lock("leadership").tryAcquire();
    private final List<String> ends = new ArrayList<>();

    @AfterEach
    void close() {
        keeper.close();
    }

    private static KeeperThreads threads(Consumer<Thread> starter) {
        return new KeeperThreads("abcdef", null, starter, (delay, task) -> true);
    }

    private LeaderRun run(CompletableFuture<Boolean> interrupted) {
        return new LeaderRun(
                hold -> interrupted.complete(Thread.interrupted()),
                leadership,
                (run, thrown) -> ends.add(String.valueOf(thrown)));
    }

    @Test
    void aThreadThatCannotBeStartedEndsTheRunWithThatFailure() {
        LeaderRun run = run(new CompletableFuture<>());
        run.start(threads(thread -> {
            throw new OutOfMemoryError("no thread, as the test wants it");
        }));
        assertThat(run.ended()).isCompleted();
        assertThat(ends).containsExactly("java.lang.OutOfMemoryError: no thread, as the test wants it");
    }

    @Test
    void aRunThatIsStoppedBeforeItsThreadBeginsIsInterrupted() throws Exception {
        var interrupted = new CompletableFuture<Boolean>();
        List<Thread> made = new ArrayList<>();
        LeaderRun run = run(interrupted);
        run.start(threads(made::add));
        run.stop();
        made.get(0).start();
        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
        run.ended().get(30, TimeUnit.SECONDS);
        assertThat(ends).containsExactly("null");
    }
}
