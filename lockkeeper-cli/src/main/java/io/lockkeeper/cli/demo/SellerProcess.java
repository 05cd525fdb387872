package io.lockkeeper.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.cli.CliException;
import io.lockkeeper.cli.ExitCode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A seller in a Java process of its own, told what to do and asked how it went. It dies with this process. */
final class SellerProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** JDKs from this one on warn of libraries that are not written in Java, as SQLite is. */
    private static final int FIRST_THAT_WARNS = 24;

    private final Process process;
    private final OutputStream orders;
    private final BufferedReader answers;

    private SellerProcess(Process process) {
        this.process = process;
        orders = process.getOutputStream();
        answers = process.inputReader(UTF_8);
    }

    /** Starts one; it is ready when it has answered. */
    static SellerProcess start(String url, List<Path> drivers, Till till) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:disable",
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx64m",
                "-Dlockkeeper.silent=true"));
        String archive = System.getProperty("lockkeeper.archive");
        if (archive != null) {
            line.add("-XX:SharedArchiveFile=" + archive);
        }
        if (Runtime.version().feature() >= FIRST_THAT_WARNS) {
            line.add("--enable-native-access=ALL-UNNAMED");
        }
        // Drivers at its end, so that the archive still fits its beginning.
        StringBuilder classes = new StringBuilder(System.getProperty("java.class.path"));
        drivers.forEach(jar -> classes.append(File.pathSeparatorChar).append(jar.toAbsolutePath()));
        line.addAll(List.of("-cp", classes.toString(), Seller.class.getName()));
        try {
            SellerProcess seller = new SellerProcess(
                    new ProcessBuilder(line).redirectError(Redirect.INHERIT).start());
            // Not as arguments: everybody can read those, and a URL may hold a password.
            seller.say(url + "\n" + till.port() + "\n" + till.secret());
            return seller;
        } catch (IOException e) {
            throw new CliException(ExitCode.UNAVAILABLE, "A seller could not be started: " + e.getMessage());
        }
    }

    /** Tells it something, and gives what it will answer. */
    CompletableFuture<String> tell(String order) {
        say(order);
        return answer();
    }

    /** Tells it something, waits for its answer, and returns what follows the word that it must begin with. */
    String ask(String order, String expected) {
        return await(tell(order), expected);
    }

    /** What it says next. */
    CompletableFuture<String> answer() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        String line = answers.readLine();
                        return line == null ? "failed: it is gone" : line;
                    } catch (IOException e) {
                        return "failed: " + e.getMessage();
                    }
                },
                work -> {
                    Thread thread = new Thread(work, "listening to a seller");
                    thread.setDaemon(true);
                    thread.start();
                });
    }

    static String await(CompletableFuture<String> answer, String expected) {
        String line;
        try {
            line = answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            line = "no answer in " + PATIENCE.toMinutes() + " minutes";
        } catch (InterruptedException | ExecutionException e) {
            line = e.toString();
        }
        if (!line.startsWith(expected)) {
            throw new CliException(ExitCode.FAILED, "A seller did not do its work: " + line);
        }
        return line.substring(expected.length()).strip();
    }

    /** As kill -9 does. */
    void kill() {
        process.destroyForcibly();
    }

    /** Stops it until what is returned is closed, or this process is gone: a small shell sees to that. */
    AutoCloseable pause() throws IOException {
        Process shell = new ProcessBuilder(
                        "sh", "-c", "kill -STOP $0; echo; read -r go; kill -CONT $0", Long.toString(process.pid()))
                .redirectError(Redirect.DISCARD)
                .start();
        if (shell.getInputStream().read() < 0) {
            throw new IOException("A seller could not be stopped");
        }
        return () -> {
            shell.getOutputStream().close();
            shell.waitFor();
        };
    }

    private void say(String line) {
        try {
            orders.write((line + "\n").getBytes(UTF_8));
            orders.flush();
        } catch (IOException e) {
            throw new CliException(ExitCode.FAILED, "A seller is gone: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
