package io.lockkeeper.flashsale;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A {@link Seller}, told what to do and asked how it went. It ends with this process. */
final class SellerProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Process process;
    private final OutputStream orders;
    private final BufferedReader answers;

    private SellerProcess(Process process) {
        this.process = process;
        orders = process.getOutputStream();
        answers = process.inputReader(UTF_8);
    }

    /** Starts one; it is ready when it has answered. */
    static SellerProcess start(String url, String redis, Load load) throws IOException {
        SellerProcess seller = new SellerProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-Xmx96m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Seller.class.getName())
                .redirectError(Redirect.INHERIT)
                .start());
        seller.say(url + "\n" + redis + "\n" + load.line());
        return seller;
    }

    void say(String line) throws IOException {
        orders.write((line + "\n").getBytes(UTF_8));
        orders.flush();
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

    /** Waits for an answer, and returns what follows the word that it must begin with. */
    static String await(CompletableFuture<String> answer, String expected) throws IOException {
        String line;
        try {
            line = answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            line = "no answer in " + PATIENCE.toMinutes() + " minutes";
        } catch (InterruptedException | ExecutionException e) {
            line = e.toString();
        }
        if (!line.startsWith(expected)) {
            throw new IOException("A seller did not do its work: " + line);
        }
        return line.substring(expected.length()).strip();
    }

    /** As kill -9 does. */
    void kill() {
        process.destroyForcibly();
    }

    /** Stops it until what is returned is closed, or this process is gone: a small shell sees to that. */
    Pause pause() throws IOException {
        Process shell = new ProcessBuilder(
                        "sh", "-c", "kill -STOP $0; echo; read -r go; kill -CONT $0", Long.toString(process.pid()))
                .redirectError(Redirect.DISCARD)
                .start();
        if (shell.getInputStream().read() < 0) {
            throw new IOException("A seller could not be stopped");
        }
        return new Pause(shell);
    }

    /** A seller that is stopped. */
    record Pause(Process shell) implements AutoCloseable {

        @Override
        public void close() throws IOException {
            shell.getOutputStream().close();
            try {
                shell.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
