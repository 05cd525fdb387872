package io.lockkeeper.benchmarks.crew;

import io.lockkeeper.testkit.ProcessReaper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Another JVM with the same class path and an application's settings: C2, the default collector. It ends with this one. */
public final class Child implements AutoCloseable {

    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    private Child(Process process) {
        this.process = process;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts {@code main} with these arguments. What it writes to standard error is shown. */
    public static Child start(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Xshare:auto",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                // Spring tells once that it does without DELEX, which servers before 8.4 do not know.
                "-Dorg.slf4j.simpleLogger.log.org.springframework.integration.redis=error",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(Arrays.asList(arguments));
        try {
            return new Child(ProcessReaper.watch(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start another JVM", e);
        }
    }

    public void send(String line) {
        try {
            in.write(line + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("Process " + process.pid() + " is gone", e);
        }
    }

    /**
     * The next line, which must begin with that word.
     *
     * @return the rest of it
     */
    public String expect(String word) {
        try {
            String line = out.readLine();
            if (line == null || !line.startsWith(word)) {
                throw new IllegalStateException(
                        line == null ? "Process " + process.pid() + " has ended" : "Process says: " + line);
            }
            return line.substring(word.length()).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("Process " + process.pid() + " is gone", e);
        }
    }

    /** The processor time that it has used. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public long pid() {
        return process.pid();
    }

    /** Kills it: what it holds is of no interest any more. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
