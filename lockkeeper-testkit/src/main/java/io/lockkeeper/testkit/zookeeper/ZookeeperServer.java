package io.lockkeeper.testkit.zookeeper;

import io.lockkeeper.testkit.Ports;
import io.lockkeeper.testkit.ProcessReaper;
import io.lockkeeper.testkit.ProcessSignals;
import io.lockkeeper.testkit.TestTimeouts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A ZooKeeper server in a JVM of its own, on a port of the loopback address that stays the same when it is started again. It can be
 * killed, stopped and restarted, and ends with this JVM, however this one ends.
 *
 * <p>It does not wait for its disk: the tests kill processes and not machines. Sessions may be as short as half a second.
 */
public final class ZookeeperServer implements AutoCloseable {

    /** Somebody else may take a port between its choice and its use. */
    private static final int TRIES = 20;

    /** A server that is starting accepts a connection before it answers. */
    private static final int ANSWER_MILLIS = 1_000;

    private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

    private final Path folder;
    private final int port;
    private final List<String> options;
    private Process process;

    private ZookeeperServer(Path folder, int port, List<String> options) {
        this.folder = folder;
        this.port = port;
        this.options = options;
        this.process = run();
    }

    /**
     * Starts a server that stands alone, and returns when it answers.
     *
     * @param further lines of its configuration; what begins with {@code -D} is an option of its JVM
     */
    public static ZookeeperServer start(String... further) {
        for (int i = 0; i < TRIES; i++) {
            int port = Ports.free();
            ZookeeperServer server = prepared(port, List.of(further));
            if (server.comesUp()) {
                return server;
            }
            server.close();
        }
        throw new IllegalStateException("No server came up in " + TRIES + " attempts");
    }

    /** Begins to start a server with further lines in its configuration. */
    static ZookeeperServer prepared(int port, List<String> further) {
        try {
            Path folder = Files.createTempDirectory("lockkeeper-zookeeper");
            ProcessReaper.deleteAtEnd(folder);
            Files.createDirectories(folder.resolve("data"));
            List<String> lines = Stream.concat(
                            Stream.of(
                                    "tickTime=200",
                                    "minSessionTimeout=400",
                                    "maxSessionTimeout=600000",
                                    "dataDir=" + folder.resolve("data"),
                                    "clientPortAddress="
                                            + InetAddress.getLoopbackAddress().getHostAddress(),
                                    "clientPort=" + port,
                                    "maxClientCnxns=0",
                                    "admin.enableServer=false",
                                    "4lw.commands.whitelist=*"),
                            further.stream())
                    .toList();
            Files.write(
                    folder.resolve("zoo.cfg"),
                    lines.stream().filter(line -> !line.startsWith("-D")).toList());
            for (String line : further) {
                if (line.startsWith("#id ")) {
                    Files.writeString(folder.resolve("data").resolve("myid"), line.substring(4));
                }
            }
            return new ZookeeperServer(
                    folder,
                    port,
                    further.stream().filter(line -> line.startsWith("-D")).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process run() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.skipACL=no",
                "-Dznode.container.checkIntervalMs=1000",
                "-Djava.net.preferIPv4Stack=true",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .replace("\n", File.pathSeparator),
                MAIN,
                folder.resolve("zoo.cfg").toString()));
        command.addAll(1, options);
        try {
            return ProcessReaper.watch(new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("log").toFile()))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a JVM for ZooKeeper", e);
        }
    }

    /** Waits until it answers; false if it ended instead, as when its port was taken. */
    boolean comesUp() {
        TestTimeouts.until("ZooKeeper is up on port " + port, () -> !process.isAlive() || answers());
        return process.isAlive();
    }

    /** Whether it serves clients: in an ensemble it does so only together with a majority. */
    public boolean answers() {
        return !ask("srvr").isEmpty() && !ask("srvr").contains("not currently serving");
    }

    /** Whether it leads its ensemble. */
    public boolean leads() {
        return ask("srvr").contains("Mode: leader");
    }

    /** The answer to one of the server's words of four letters; empty if there is none. */
    public String ask(String word) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException notNow) {
            return "";
        }
    }

    public int port() {
        return port;
    }

    /** As clients name it. */
    public String address() {
        return InetAddress.getLoopbackAddress().getHostAddress() + ":" + port;
    }

    /** The processor time that it has used since it was started. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Stops it (SIGSTOP) and returns when every thread of it has stopped. */
    public void pause() {
        ProcessSignals.pause(process);
    }

    /** Lets it go on (SIGCONT). */
    public void resume() {
        ProcessSignals.resume(process);
    }

    /** Kills it (SIGKILL) and returns when it is gone. */
    public void kill() {
        ProcessSignals.kill(process);
    }

    /** Kills it if it runs, starts it with the data that it has, and returns when it answers. */
    public void restart() {
        startAgain();
        TestTimeouts.until("ZooKeeper is up on port " + port + " again", this::answers);
    }

    /** The same without waiting for it. */
    public void startAgain() {
        kill();
        process = run();
    }

    /** Kills it and removes its data. */
    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "ZooKeeper on port " + port;
    }
}
