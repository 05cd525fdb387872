package io.lockkeeper.testkit.etcd;

import io.lockkeeper.testkit.ProcessReaper;
import io.lockkeeper.testkit.ProcessSignals;
import io.lockkeeper.testkit.ServerCache;
import io.lockkeeper.testkit.TestTimeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An etcd server in a process of its own, on ports of the loopback address that stay the same when it is started again. It can be
 * killed, stopped and restarted on its data, and ends with this JVM, however this one ends.
 *
 * <p>It does not wait for its disk unless it is told to: the tests kill processes and not machines. Its data takes 130 MB at once, until it is closed.
 */
public final class EtcdServer implements AutoCloseable {

    private static final String HOST = "127.0.0.1";

    /** Somebody else may take a port between its choice and its use. */
    private static final int TRIES = 20;

    /** Servers before 3.4.8 do not know it. */
    private static final String NO_FSYNC = "--unsafe-no-fsync";

    private static volatile boolean knowsNoFsync = true;

    private final Path folder;
    private final EtcdPorts ports;
    private final EtcdOptions options;
    private Process process;

    private EtcdServer(Path folder, EtcdPorts ports, EtcdOptions options) {
        this.folder = folder;
        this.ports = ports;
        this.options = options;
        this.process = run();
    }

    /** Starts a server that stands alone, and returns when it answers. */
    public static EtcdServer start() {
        return options().start();
    }

    /** What can be wished for. */
    public static EtcdOptions options() {
        return new EtcdOptions();
    }

    static EtcdServer start(EtcdOptions options) {
        for (int i = 0; i < TRIES; i++) {
            EtcdPorts ports = EtcdPorts.free();
            String peer = "http://" + HOST + ":" + ports.peer();
            EtcdServer server = prepared(
                    ports,
                    "alone",
                    List.of("--initial-advertise-peer-urls=" + peer, "--initial-cluster=alone=" + peer),
                    options);
            if (server.comesUp()) {
                return server;
            }
            server.close();
        }
        throw new IllegalStateException("No server came up in " + TRIES + " attempts");
    }

    /** Begins to start a server, with what it knows of its cluster. */
    static EtcdServer prepared(EtcdPorts ports, String name, List<String> cluster, EtcdOptions options) {
        try {
            Path folder = Files.createTempDirectory("lockkeeper-etcd");
            ProcessReaper.deleteAtEnd(folder);
            EtcdOptions all = new EtcdOptions(options).argument("--name=" + name);
            cluster.forEach(all::argument);
            return new EtcdServer(folder, ports, all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process run() {
        String clients = (options.isTls() ? "https://" : "http://") + HOST + ":" + ports.client();
        List<String> command = new ArrayList<>(List.of(
                EtcdPrograms.server().toString(),
                "--data-dir=" + folder.resolve("data"),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=http://" + HOST + ":" + ports.peer(),
                "--listen-metrics-urls=http://" + HOST + ":" + ports.metrics(),
                "--logger=zap",
                "--log-level=warn"));
        if (knowsNoFsync && !options.isDurable()) {
            command.add(NO_FSYNC);
        }
        command.addAll(options.arguments());
        try {
            return ProcessReaper.watch(new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + EtcdPrograms.server(), e);
        }
    }

    /**
     * Waits until it answers.
     *
     * @return false if it ended and another attempt may succeed, as when a port was taken
     * @throws IllegalStateException if it ended for another reason
     */
    private boolean comesUp() {
        TestTimeouts.until("etcd is up on port " + port(), () -> !process.isAlive() || answers());
        if (process.isAlive()) {
            return true;
        }
        String log = readLog();
        if (log.contains("not defined: -unsafe-no-fsync")) {
            knowsNoFsync = false;
            return false;
        }
        if (log.contains("address already in use")) {
            return false;
        }
        throw new IllegalStateException("etcd ended while starting: " + log);
    }

    private Path log() {
        return folder.resolve("log");
    }

    /** What it has logged so far, from level "warn". */
    public String readLog() {
        try {
            return Files.readString(log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it executes requests: in a cluster it does so only together with a majority. */
    public boolean answers() {
        return metrics().get("/health").contains("\"true\"");
    }

    /** Whether it leads its cluster, as far as it knows. */
    public boolean leads() {
        return metrics().get("/metrics").contains("\netcd_server_is_leader 1\n");
    }

    /** Whether it knows a leader. */
    public boolean hasLeader() {
        return metrics().get("/metrics").contains("\netcd_server_has_leader 1\n");
    }

    /** What it counts: how many requests it got and how many entries its log has. */
    public EtcdMetrics metrics() {
        return new EtcdMetrics("http://" + HOST + ":" + ports.metrics());
    }

    /** Which etcd it is, such as {@code 3.4.23}. */
    public String version() {
        return metrics().text("etcd_server_version{server_version=\"");
    }

    /** Looks into it, and disturbs it, over its gateway. */
    public EtcdAdmin admin() {
        return new EtcdAdmin("http://" + address());
    }

    /** The port for clients. */
    public int port() {
        return ports.client();
    }

    public long pid() {
        return process.pid();
    }

    /** As clients name it: host and port. */
    public String address() {
        return HOST + ":" + port();
    }

    /** Where keepers find it, under the default prefix. */
    public String url() {
        return (options.isTls() ? "etcds://" : "etcd://") + address();
    }

    /** How many connections other processes, or this one, have to its port for clients; its gateway's own do not count. */
    public int connections() {
        return SocketOwner.connectionsOfOthers(pid(), port());
    }

    /** What {@code etcdctl} with these words prints; it is to succeed. */
    public String ctl(String... words) {
        return EtcdCtl.run(address(), words);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Stops it (SIGSTOP) and returns when every thread of it has stopped. */
    public void pause() {
        ProcessSignals.pause(process);
    }

    /** Lets it go on (SIGCONT). */
    public void resume() {
        ProcessSignals.resume(process);
    }

    /** Ends it in the usual way (SIGTERM), so that a leader hands its office over first. */
    public void stop() {
        ProcessSignals.end(process, "TERM");
    }

    /** Kills it (SIGKILL) and returns when it is gone. */
    public void kill() {
        ProcessSignals.kill(process);
    }

    /** Kills it if it runs, starts it with the data that it has, and returns when it answers. */
    public void restart() {
        startAgain();
        TestTimeouts.until("etcd is up on port " + port() + " again", () -> {
            if (!process.isAlive()) {
                process = run();
            }
            return answers();
        });
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
        try {
            ServerCache.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "etcd on port " + port();
    }
}
