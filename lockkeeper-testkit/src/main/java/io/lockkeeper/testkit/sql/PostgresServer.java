package io.lockkeeper.testkit.sql;

import io.lockkeeper.testkit.Ports;
import io.lockkeeper.testkit.ProcessSignals;
import io.lockkeeper.testkit.TestTimeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A PostgreSQL server on a random port of the loopback address, with one process per connection as everywhere. Its
 * administrator is {@code postgres}; no password is asked of anybody.
 */
public final class PostgresServer implements SqlServer {

    /** Somebody else may take a port between its choice and its use. */
    private static final int TRIES = 20;

    private static final Pattern TROUBLE = Pattern.compile("\\b(?:WARNING|ERROR|FATAL|PANIC): ");

    private final PostgresOptions options;
    private final ServerFolder folder;
    private final int port;
    private Process process;
    private long startOfLog;
    private boolean paused;

    private PostgresServer(PostgresOptions options, ServerFolder folder, int port) {
        this.options = options;
        this.folder = folder;
        this.port = port;
        this.process = run();
    }

    /** One server without any wishes. */
    public static PostgresServer start() {
        return options().start();
    }

    /** What can be wished for. */
    public static PostgresOptions options() {
        return new PostgresOptions();
    }

    static PostgresServer start(PostgresOptions options) {
        ServerFolder folder = ServerFolder.create("lockkeeper-postgres");
        boolean up = false;
        try {
            folder.copyData(PostgresBinaries.emptyCluster(options.home()));
            for (int i = 0; i < TRIES; i++) {
                PostgresServer server = new PostgresServer(options, folder, Ports.free());
                if (server.comesUp()) {
                    up = true;
                    return server;
                }
            }
            throw new IllegalStateException("No free port was found in " + TRIES + " attempts");
        } finally {
            if (!up) {
                folder.delete();
            }
        }
    }

    private Process run() {
        startOfLog = folder.mark();
        return folder.start(options.command(folder.data(), port));
    }

    /**
     * Waits until it says that it is ready, in the file that has its process number.
     *
     * @return false if the port was taken
     * @throws IllegalStateException if it ended for another reason
     */
    private boolean comesUp() {
        TestTimeouts.until("PostgreSQL is up on port " + port, () -> !process.isAlive() || isReady());
        if (process.isAlive()) {
            return true;
        }
        String log = folder.logSince(startOfLog);
        if (log.contains("already in use")) {
            return false;
        }
        throw new IllegalStateException("PostgreSQL ended while starting: " + log);
    }

    /** The file's lines: number, folder, start, port, socket's folder, address, memory, state. */
    private List<String> ownFile() {
        try {
            return Files.readAllLines(folder.data().resolve("postmaster.pid"));
        } catch (IOException none) {
            return List.of();
        }
    }

    private boolean isReady() {
        List<String> lines = ownFile();
        return lines.size() >= 8
                && lines.get(0).equals(Long.toString(process.pid()))
                && lines.get(7).strip().equals("ready");
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public List<Long> pids() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(ProcessHandle::pid)
                .toList();
    }

    @Override
    public SqlDatabase admin() {
        return database("postgres");
    }

    /** A database by its name, for the administrator. */
    public SqlDatabase database(String name) {
        return new SqlDatabase("jdbc:postgresql://127.0.0.1:" + port + "/" + name, "postgres", "postgres");
    }

    @Override
    public SqlDatabase createDatabase() {
        String name = "db_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        admin().execute("CREATE DATABASE " + name);
        return database(name);
    }

    @Override
    public void kill() {
        ProcessSignals.killTree(process);
        paused = false;
    }

    @Override
    public void restart() {
        kill();
        TestTimeouts.until("port " + port + " is free for PostgreSQL again", () -> {
            process = run();
            return comesUp();
        });
    }

    @Override
    public void pause() {
        ProcessSignals.pauseTree(process);
        paused = true;
    }

    @Override
    public void resume() {
        ProcessSignals.resumeTree(process);
        paused = false;
    }

    /**
     * {@inheritDoc}
     *
     * @param where about the columns of {@code pg_stat_activity}, as in {@code datname = 'x' AND query LIKE 'LISTEN%'}
     */
    @Override
    public int terminateConnections(String where) {
        long wait = TestTimeouts.DEFAULT.toMillis();
        return (int) admin().number("SELECT count(pg_terminate_backend(pid, " + wait + ")) FROM pg_stat_activity"
                + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND (" + where + ")");
    }

    @Override
    public void readOnly(boolean on) {
        String value = on ? "on" : "off";
        admin().execute("ALTER SYSTEM SET default_transaction_read_only = " + value, "SELECT pg_reload_conf()");
        TestTimeouts.until(
                "new transactions are read-only: " + value,
                () -> value.equals(admin().value("SHOW default_transaction_read_only")));
    }

    /** How many bytes were written to the log of changes (WAL) since the cluster was made; exact, without delay. */
    public long walBytes() {
        return admin().number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint");
    }

    /** How many transactions got a number of their own: those that wrote. Exact, without delay, and not itself one. */
    public long transactionIds() {
        return admin().number("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }

    /**
     * How many transactions of a database were committed, those that only read too. A connection that is open may report
     * its share seconds later; one that was closed has reported.
     */
    public long commits(SqlDatabase database) {
        return admin().number("SELECT xact_commit FROM pg_stat_database WHERE datname = '" + database.name() + "'");
    }

    /** The end of the log now, for {@link #troubleSince}. */
    public long mark() {
        return folder.mark();
    }

    /** The lines of the log since then that tell of warnings and errors. */
    public List<String> troubleSince(long mark) {
        return folder.logSince(mark)
                .lines()
                .filter(line -> TROUBLE.matcher(line).find())
                .toList();
    }

    @Override
    public String log() {
        return folder.log();
    }

    /** Where its data is, while it lives. */
    public Path data() {
        return folder.data();
    }

    @Override
    public void close() {
        if (process.isAlive() && !paused) {
            ProcessSignals.end(process, "QUIT");
        } else {
            kill();
        }
        freeMemory();
        folder.delete();
    }

    /** A killed server leaves a few bytes of shared memory, by which the next one on its data would know it. */
    private void freeMemory() {
        List<String> lines = ownFile();
        if (lines.size() < 7 || lines.get(6).isBlank()) {
            return;
        }
        String[] keyAndId = lines.get(6).strip().split("\\s+");
        try {
            Commands.run(folder.path(), List.of("sh", "-c", "ipcrm -m \"$0\" || true", keyAndId[keyAndId.length - 1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "PostgreSQL on port " + port;
    }
}
