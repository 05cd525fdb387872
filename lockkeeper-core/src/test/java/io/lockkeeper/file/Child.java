package io.lockkeeper.file;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A {@link StoreProgram} in a process of its own, which ends with its input and so with this JVM. */
final class Child implements AutoCloseable {

    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    Child(Path folder) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .replace("\n", File.pathSeparator);
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        StoreProgram.class.getName(),
                        folder.toString())
                .start();
        in = process.outputWriter(StandardCharsets.UTF_8);
        out = process.inputReader(StandardCharsets.UTF_8);
        Thread errors = new Thread(this::showErrors, "errors of child " + process.pid());
        errors.setDaemon(true);
        errors.start();
    }

    /** To the standard error of this JVM, where it is recorded and shown only for a case that fails. */
    private void showErrors() {
        try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = errors.readLine(); line != null; line = errors.readLine()) {
                System.err.println(line);
            }
        } catch (IOException killed) {
            // There is nothing more to show.
        }
    }

    /** Waits until the store is open. */
    Child ready() {
        answer();
        return this;
    }

    String tell(String command) {
        say(command);
        return answer();
    }

    void say(String command) {
        try {
            in.write(command + "\n");
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String answer() {
        try {
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException("the child has ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    void stop() throws Exception {
        new ProcessBuilder("kill", "-STOP", String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** As by kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(60, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
