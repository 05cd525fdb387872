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
import java.util.stream.Collectors;

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
                () -> threadStates(process.pid()).stream().allMatch(state -> state == 'T'));
    }

    /** Lets it go on (SIGCONT). */
    public static void resume(Process process) {
        send("CONT", process);
        TestTimeouts.until(
                "process " + process.pid() + " goes on",
                () -> threadStates(process.pid()).stream().noneMatch(state -> state == 'T'));
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

    /**
     * Stops it and every process that it started, and returns when all have really stopped. The first to stop is the one that
     * starts the others, so that none is forgotten.
     */
    public static void pauseTree(Process process) {
        pause(process);
        List<ProcessHandle> others = process.descendants().toList();
        others.forEach(ProcessReaper::watchStopped);
        sendAll("STOP", others);
        for (ProcessHandle other : others) {
            TestTimeouts.until("process " + other.pid() + " has stopped", () -> isStoppedOrDead(other.pid()));
        }
    }

    /** Lets it and every process that it started go on. */
    public static void resumeTree(Process process) {
        List<ProcessHandle> others = process.descendants().toList();
        others.forEach(ProcessReaper::release);
        sendAll("CONT", others);
        resume(process);
    }

    /**
     * Kills it and every process that it started, even when stopped, and returns when all are gone: at no moment is one of
     * them alive that could notice the death of another.
     */
    public static void killTree(Process process) {
        if (!process.isAlive()) {
            return;
        }
        pauseTree(process);
        List<ProcessHandle> others = process.descendants().toList();
        others.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle other : others) {
            TestTimeouts.until("process " + other.pid() + " is gone", () -> isDead(other.pid()));
            ProcessReaper.release(other);
        }
        kill(process);
    }

    /** Asks it to end (any signal that it handles) and returns when it has. */
    public static void end(Process process, String signal) {
        send(signal, process);
        TestTimeouts.until("process " + process.pid() + " has ended", () -> !process.isAlive());
    }

    private static void send(String signal, Process process) {
        if (kill(signal, Long.toString(process.pid())) != 0) {
            throw new AssertionError("kill -" + signal + " of process " + process.pid() + " failed: is it alive?");
        }
    }

    /** One that has just ended is no reason to fail. */
    private static void sendAll(String signal, List<ProcessHandle> processes) {
        if (!processes.isEmpty()) {
            kill(
                    signal,
                    processes.stream().map(other -> Long.toString(other.pid())).collect(Collectors.joining(" ")));
        }
    }

    private static int kill(String signal, String pids) {
        try {
            return new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pids)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while sending " + signal + " to " + pids, e);
        }
    }

    private static boolean isStoppedOrDead(long pid) {
        try {
            return isDead(pid) || threadStates(pid).stream().allMatch(state -> state == 'T');
        } catch (UncheckedIOException gone) {
            return true;
        }
    }

    /** Nobody may have collected it yet: then it is dead all the same. */
    private static boolean isDead(long pid) {
        try {
            return state(Path.of("/proc/" + pid)) == 'Z';
        } catch (IOException gone) {
            return true;
        }
    }

    /** One letter per thread, from the third field of its stat file: after the last ')', since names may hold anything. */
    private static List<Character> threadStates(long pid) {
        List<Character> states = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                try {
                    states.add(state(task));
                } catch (IOException ended) {
                    // A thread that is gone, perhaps since its file was opened, does not run either.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Process " + pid + " is gone", e);
        }
        return states;
    }

    private static char state(Path folder) throws IOException {
        String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
        return stat.charAt(stat.lastIndexOf(')') + 2);
    }
}
