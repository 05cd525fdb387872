package io.lockkeeper.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Stops processes, lets them go on, and kills them.
 *
 * <p>Stopping needs Linux: a signal is only a request, and it is the state of the threads in {@code /proc} that tells when
 * the last one has stopped. Until then a "stopped" process may still answer.
 */
public final class ProcessSignals {

    private ProcessSignals() {}

    /** Stops it (SIGSTOP) and returns when every thread of it has really stopped. */
    public static void pause(Process process) {
        send("STOP", process);
        TestTimeouts.until(
                "process " + process.pid() + " has stopped",
                () -> threadStates(process).stream().allMatch(state -> state == 'T'));
    }

    /** Lets it go on (SIGCONT). */
    public static void resume(Process process) {
        send("CONT", process);
        TestTimeouts.until(
                "process " + process.pid() + " goes on",
                () -> threadStates(process).stream().noneMatch(state -> state == 'T'));
    }

    /** Kills it (SIGKILL), even when stopped, and returns when it is gone. */
    public static void kill(Process process) {
        process.destroyForcibly();
        try {
            if (!process.waitFor(TestTimeouts.DEFAULT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("Process " + process.pid() + " was killed and is still there");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while killing process " + process.pid(), e);
        }
    }

    private static void send(String signal, Process process) {
        try {
            int exit = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new AssertionError("kill -" + signal + " of process " + process.pid() + " failed: is it alive?");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while sending " + signal + " to process " + process.pid(), e);
        }
    }

    /** One letter per thread, from the third field of its stat file: after the last ')', since names may hold anything. */
    private static List<Character> threadStates(Process process) {
        List<Character> states = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path task : tasks) {
                try {
                    String stat = Files.readString(task.resolve("stat"), StandardCharsets.ISO_8859_1);
                    states.add(stat.charAt(stat.lastIndexOf(')') + 2));
                } catch (IOException ended) {
                    // A thread that is gone, perhaps since its file was opened, does not run either.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Process " + process.pid() + " is gone", e);
        }
        return states;
    }
}
