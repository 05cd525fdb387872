package io.lockkeeper.testkit.redis;

import io.lockkeeper.testkit.ProcessReaper;
import io.lockkeeper.testkit.ProcessSignals;
import io.lockkeeper.testkit.TestTimeouts;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server in a process of its own, on a random port of the loopback address. It keeps nothing on disk: killed and
 * started again it is empty.
 */
public final class RedisServer implements AutoCloseable {

    /** Somebody else may take a port between its choice and its use. */
    private static final int TRIES = 20;

    /** What may be asked again when the connection was cut before the reply. */
    private static final Set<String> READING =
            Set.of("DBSIZE", "EXISTS", "GET", "HGETALL", "INFO", "KEYS", "MGET", "PTTL", "SENTINEL");

    private final RedisFolder folder;
    private final int port;
    private final int tlsPort;
    private final @Nullable String password;
    private Process process;

    private RedisServer(RedisFolder folder, int port, int tlsPort, @Nullable String password, Process process) {
        this.folder = folder;
        this.port = port;
        this.tlsPort = tlsPort;
        this.password = password;
        this.process = process;
    }

    /** One server without any wishes. */
    public static RedisServer start() {
        return options().start();
    }

    /** What can be wished for. */
    public static RedisOptions options() {
        return RedisOptions.server();
    }

    static RedisServer start(RedisOptions options) {
        for (int i = 0; i < TRIES; i++) {
            int port = options.choosePort();
            int tlsPort = options.chooseTlsPort();
            RedisFolder folder = RedisFolder.create(options, port, tlsPort);
            RedisServer server = null;
            try {
                server = new RedisServer(folder, port, tlsPort, options.password(), run(folder));
                if (server.comesUp()) {
                    return server;
                }
            } finally {
                if (server == null || !server.isAlive()) {
                    folder.delete();
                }
            }
        }
        throw new IllegalStateException("No free port was found in " + TRIES + " attempts");
    }

    private static Process run(RedisFolder folder, String... settings) {
        try {
            return ProcessReaper.watch(folder.command(settings).start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + folder.program(), e);
        }
    }

    /**
     * Waits until it answers. That it is this process which answers is asked too: another one may have the port.
     *
     * @return false if the port was taken
     * @throws IllegalStateException if it ended for another reason
     */
    private boolean comesUp() {
        TestTimeouts.until("Redis is up on port " + port, () -> !process.isAlive() || answers());
        if (process.isAlive()) {
            return true;
        }
        String log = folder.log();
        if (log.contains("in use")) {
            return false;
        }
        throw new IllegalStateException("Redis ended while starting: " + log);
    }

    private boolean answers() {
        return answers("0");
    }

    private boolean answers(String loading) {
        try {
            return info("server").getOrDefault("process_id", "").equals(Long.toString(process.pid()))
                    && info("persistence").getOrDefault("loading", "0").equals(loading);
        } catch (UncheckedIOException | RedisError notYet) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    /** The port where TLS is spoken; 0 if there is none. */
    public int tlsPort() {
        return tlsPort;
    }

    public long pid() {
        return process.pid();
    }

    Optional<String> password() {
        return Optional.ofNullable(password);
    }

    /** Where clients find it, as the default user. */
    public String url() {
        return "redis://" + (password == null ? "" : ":" + password + "@") + "127.0.0.1:" + port;
    }

    /** Where clients find it, as a certain user. */
    public String url(String user, String password) {
        return "redis://" + user + ":" + password + "@127.0.0.1:" + port;
    }

    /** Where clients find it that speak TLS, under this name. */
    public String tlsUrl(String host) {
        return "rediss://" + (password == null ? "" : ":" + password + "@") + host + ":" + tlsPort;
    }

    /**
     * Runs a command as the default user on a connection of its own. See {@link RedisWire} for what comes back. A server
     * that becomes a replica cuts all its connections, at a moment nobody can foresee: what only reads is asked again.
     */
    public @Nullable Object command(String... words) {
        for (int tries = 1; ; tries++) {
            try (RedisWire wire = connect()) {
                return wire.command(words);
            } catch (UncheckedIOException e) {
                if (!wasCut(e) || !READING.contains(words[0]) || !isAlive() || tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static boolean wasCut(UncheckedIOException e) {
        return e.getCause() instanceof SocketException || e.getCause() instanceof EOFException;
    }

    /** A new connection as the default user. */
    public RedisWire connect() {
        var wire = new RedisWire(port);
        try {
            if (password != null) {
                wire.command("AUTH", password);
            }
            return wire;
        } catch (RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    /** How many replicas can acknowledge to it what it wrote; one whose own link is up may not be known to it yet. */
    public long replicasOnline() {
        return info("replication").values().stream()
                .filter(value -> value.contains("state=online"))
                .count();
    }

    /** A section of {@code INFO}. */
    public Map<String, String> info(String section) {
        Map<String, String> values = new TreeMap<>();
        for (String line : String.valueOf(command("INFO", section)).split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return values;
    }

    /** How often each command was executed since the start or {@link #resetStats()}, by its name in lower case. */
    public Map<String, Long> commandStats() {
        Map<String, Long> calls = new TreeMap<>();
        info("commandstats").forEach((key, value) -> {
            String count = value.substring("calls=".length(), value.indexOf(','));
            calls.put(key.substring("cmdstat_".length()), Long.valueOf(count));
        });
        return calls;
    }

    /** Counts from zero again. */
    public void resetStats() {
        command("CONFIG", "RESETSTAT");
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it (SIGKILL) and returns when it is gone. */
    public void kill() {
        ProcessSignals.kill(process);
    }

    /** Kills it if it lives, starts it again, empty, on the same port, and returns when it answers. */
    public void restart() {
        kill();
        TestTimeouts.until("port " + port + " is free for Redis again", () -> {
            process = run(folder);
            return comesUp();
        });
    }

    /**
     * Lets it save, kills it and starts it again; returns while it loads what it saved. It will not have loaded it before
     * {@link #endLoading()} (before version 7.0: for six seconds), since it pauses after each of many keys.
     */
    public void restartLoading() {
        command("CONFIG", "SET", "rdbcompression", "no");
        // It answers only between two keys, and only if it has read so much: two megabytes unless that can be set.
        boolean often = loadsAsToldTo();
        fill(often ? 6000 : 600, often ? 1024 : 200 * 1024);
        command("SAVE");
        kill();
        List<String> settings = new ArrayList<>(List.of("--key-load-delay", "10000"));
        if (often) {
            settings.addAll(List.of("--loading-process-events-interval-bytes", "1024"));
        }
        TestTimeouts.until("Redis loads on port " + port, () -> {
            if (!process.isAlive()) {
                process = run(folder, settings.toArray(String[]::new));
            }
            return answers("1");
        });
    }

    /** Whether it can be set how it loads, and while it does: since 7.0. Otherwise it takes six seconds. */
    private boolean loadsAsToldTo() {
        return !List.of().equals(command("CONFIG", "GET", "loading-process-events-interval-bytes"));
    }

    private void fill(int keys, int bytes) {
        String script = "for i = 1, ARGV[1] do redis.call('SET', 'to load ' .. i, string.rep('x', ARGV[2])) end";
        command("EVAL", script, "0", Integer.toString(keys), Integer.toString(bytes));
    }

    /** Lets it load quickly, and returns when it has; what was saved is forgotten, so that it starts empty again. */
    public void endLoading() {
        if (loadsAsToldTo()) {
            command("CONFIG", "SET", "key-load-delay", "0");
        }
        TestTimeouts.until("Redis has loaded", this::answers);
        folder.forgetSaved();
    }

    /** Stops it (SIGSTOP): connections stay open and nothing is answered. Returns when all of it has stopped. */
    public void pause() {
        ProcessSignals.pause(process);
    }

    /** Lets it go on (SIGCONT); it answers what was sent in the meantime. */
    public void resume() {
        ProcessSignals.resume(process);
    }

    /** What it wrote to its log, for people. */
    public String log() {
        return folder.log();
    }

    /** Kills it and removes what it wrote. */
    @Override
    public void close() {
        kill();
        folder.delete();
    }

    /** Closes several, whatever becomes of each. */
    static void closeAll(List<? extends AutoCloseable> servers) {
        RuntimeException failure = null;
        for (AutoCloseable server : servers) {
            try {
                server.close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = new IllegalStateException("Cannot close " + server, e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public String toString() {
        return "Redis on port " + port;
    }
}
