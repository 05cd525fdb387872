package io.lockkeeper.cli;

import io.lockkeeper.testkit.ProcessReaper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@code lockkeeper} in a process of its own, which ends with the test's. */
final class Cli {

    private final Process process;
    private final Path out;
    private final Path err;

    private Cli(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /**
     * Starts one with the signals as a terminal has them. Ignored signals stay ignored in all that a process starts: a build
     * in the background of a shell ignores INT, and one under nohup(1) ignores HUP.
     */
    static Cli start(Path folder, String... arguments) throws IOException {
        return start(List.of("env", "--default-signal=INT,TERM,HUP,QUIT,PIPE"), folder, arguments);
    }

    /** Starts one that ignores HUP, as nohup(1) has it. */
    static Cli startIgnoringHup(Path folder, String... arguments) throws IOException {
        return start(List.of("env", "--default-signal=INT,TERM,QUIT,PIPE", "--ignore-signal=HUP"), folder, arguments);
    }

    private static Cli start(List<String> launcher, Path folder, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(launcher);
        line.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Duser.home=" + folder,
                "-cp",
                classPath(),
                Main.class.getName()));
        line.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        return new Cli(
                ProcessReaper.watch(new ProcessBuilder(line)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start()),
                out,
                err);
    }

    /** That of the tests without the driver of PostgreSQL, which the command does not carry. */
    private static String classPath() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(all.split("[\n" + File.pathSeparator + "]"))
                .filter(entry -> !entry.equals(SqlStoreTest.postgresDriver().toString()))
                .collect(Collectors.joining(File.pathSeparator));
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            throw new AssertionError("lockkeeper has not ended within 90 s");
        }
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The first line that its command writes into a file; it fails with what was said if there will be none. */
    String line(Path file) throws IOException {
        Eventually.await(file + " has a line, or it has ended", () -> Eventually.hasLine(file) || !isAlive());
        if (!Eventually.hasLine(file)) {
            throw new AssertionError("lockkeeper has ended with " + process.exitValue() + ": " + err());
        }
        return Eventually.line(file);
    }

    /** A process id that its command writes into a file. */
    long pid(Path file) throws IOException {
        return Long.parseLong(line(file));
    }

    /** How many processes it has started that still run. */
    long children() {
        return process.children().filter(child -> Eventually.runs(child.pid())).count();
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .start()
                .waitFor();
    }
}
