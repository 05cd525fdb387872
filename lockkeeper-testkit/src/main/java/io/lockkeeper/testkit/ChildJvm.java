package io.lockkeeper.testkit;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Another JVM that runs a small program on the same class path. It is talked to in lines, can be stopped and go on, and
 * be killed. It ends with this JVM, however this one ends.
 */
public final class ChildJvm implements Peer {

    private static final String END = "\0the program has ended";

    private final Process process;
    private final Writer in;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildJvm(Process process) {
        this.process = process;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        reader("output", this::read);
        reader("errors", this::show);
    }

    private void reader(String of, Runnable work) {
        var reader = new Thread(work, of + " of child " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a JVM that runs {@code main} with these arguments. What it writes to standard error is written to {@link
     * System#err} here, and not to the console past it: a test that records what is printed has this too.
     */
    public static ChildJvm start(Class<?> main, String... args) {
        return start(UnaryOperator.identity(), main, args);
    }

    /**
     * The same with another command.
     *
     * @param how changes the command, whose first word is the program; to set variables, say, or to add options of the JVM
     */
    public static ChildJvm start(UnaryOperator<List<String>> how, Class<?> main, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dfile.encoding=UTF-8",
                "-cp",
                classPath(),
                main.getName()));
        command.addAll(Arrays.asList(args));
        try {
            return new ChildJvm(ProcessReaper.watch(new ProcessBuilder(how.apply(command)).start()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start another JVM", e);
        }
    }

    /** Test runners may shorten the class path to one jar that names the others; they tell the real one here. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .replace("\n", File.pathSeparator);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends it a line. */
    @Override
    public void send(String line) {
        try {
            in.write(line + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("Child " + pid() + " is gone", e);
        }
    }

    /**
     * The next line it writes.
     *
     * @throws AssertionError if none comes in time, or the program has ended
     */
    @Override
    public String receive(Duration wait) {
        try {
            String line = lines.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("Child " + pid() + " said nothing for " + wait);
            }
            if (line.equals(END)) {
                lines.add(END);
                throw new AssertionError("Child " + pid() + " has ended");
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for child " + pid(), e);
        }
    }

    /** Stops it (SIGSTOP) and returns when every thread of it has really stopped. */
    @Override
    public void pause() {
        ProcessSignals.pause(process);
    }

    /** Lets it go on (SIGCONT). */
    @Override
    public void resume() {
        ProcessSignals.resume(process);
    }

    /** Kills it (SIGKILL) and returns when it is gone. */
    @Override
    public void kill() {
        ProcessSignals.kill(process);
    }

    /**
     * Waits for its end.
     *
     * @return its exit code
     */
    public int waitFor(Duration wait) {
        try {
            if (!process.waitFor(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError("Child " + pid() + " has not ended within " + wait);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for child " + pid(), e);
        }
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        kill();
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } catch (IOException killed) {
            // It ends in the same way.
        } finally {
            lines.add(END);
        }
    }

    private void show() {
        try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = errors.readLine(); line != null; line = errors.readLine()) {
                System.err.println(line);
            }
        } catch (IOException killed) {
            // There is nothing more to show.
        }
    }
}
