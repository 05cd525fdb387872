package io.lockkeeper.flashsale;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A Redis server for the sale alone, on a random port of the loopback address. It keeps nothing on disk and ends with this process. */
final class RedisProcess implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(20);

    /** A stopped or killed parent closes the pipe, and the shell ends the server. */
    private static final String SCRIPT = "\"$0\" \"$1\" & read -r end; kill $!; wait $!; rm -rf \"${1%/*}\"";

    private final Process shell;
    private final String url;

    private RedisProcess(Process shell, String url) {
        this.shell = shell;
        this.url = url;
    }

    /** The program, if there is one on the PATH. */
    static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of("redis-server", "valkey-server")
                .flatMap(name -> Stream.of(path.split(File.pathSeparator))
                        .filter(folder -> !folder.isEmpty())
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static RedisProcess start(Path program) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path folder = Files.createTempDirectory("flash-sale-redis"); // For its owner only.
        String password = UUID.randomUUID().toString();
        Path settings = folder.resolve("redis.conf");
        Files.writeString(
                settings,
                String.join(
                        "\n",
                        "bind 127.0.0.1",
                        "port " + port,
                        "requirepass " + password,
                        "save \"\"",
                        "appendonly no",
                        "dir " + folder,
                        ""));
        Process shell = new ProcessBuilder("sh", "-c", SCRIPT, program.toString(), settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start();
        RedisProcess redis = new RedisProcess(shell, "redis://:" + password + "@127.0.0.1:" + port);
        redis.awaitReady();
        return redis;
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + START.toNanos();
        while (true) {
            try {
                Lockkeeper.connect(url).close();
                return;
            } catch (LockkeeperException e) {
                if (System.nanoTime() - end > 0) {
                    close();
                    throw new IOException("The redis-server on the PATH did not start: " + e.getMessage(), e);
                }
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        }
    }

    String url() {
        return url;
    }

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
