package io.lockkeeper.testkit.sql;

import io.lockkeeper.testkit.TestTimeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A PostgreSQL server on a random port of the loopback address, with one process per connection as everywhere. Its
 * administrator is {@code postgres}; no password is asked of anybody.
 */
public final class PostgresServer extends LocalServer {

    private static final Pattern TROUBLE = Pattern.compile("\\b(?:WARNING|ERROR|FATAL|PANIC): ");

    private PostgresServer(ServerProcess process) {
        super(process, TROUBLE);
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
        ServerFolder folder = ServerFolder.copyOf(PostgresBinaries.emptyCluster(options.home()), "lockkeeper-postgres");
        return new PostgresServer(ServerProcess.start(
                "PostgreSQL", folder, port -> options.command(folder.data(), port), PostgresServer::isReady));
    }

    /** It tells its state in the file that has its process number. */
    private static boolean isReady(ServerProcess process) {
        List<String> lines = ownFile(process.folder());
        return lines.size() >= 8
                && lines.get(0).equals(Long.toString(process.pid()))
                && lines.get(7).strip().equals("ready");
    }

    /** The file's lines: number, folder, start, port, socket's folder, address, memory, state. */
    private static List<String> ownFile(ServerFolder folder) {
        try {
            return Files.readAllLines(folder.data().resolve("postmaster.pid"));
        } catch (IOException none) {
            return List.of();
        }
    }

    @Override
    public SqlDatabase admin() {
        return database("postgres");
    }

    @Override
    public SqlDatabase database(String name) {
        return new SqlDatabase("jdbc:postgresql://127.0.0.1:" + port() + "/" + name, "postgres", "postgres");
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

    /**
     * How often the log of changes was forced to the disk; 0 unless {@link PostgresOptions#fsync} is on. A connection that is
     * open may report its share seconds later.
     */
    public long walSyncs() {
        return admin().number("SHOW server_version_num") >= 180000
                ? admin().number("SELECT coalesce(sum(fsyncs), 0)::bigint FROM pg_stat_io WHERE object = 'wal'")
                : admin().number("SELECT wal_sync FROM pg_stat_wal");
    }

    @Override
    public void close() {
        process().end("QUIT");
        freeMemory();
        folder().delete();
    }

    /** A killed server leaves a few bytes of shared memory, by which the next one on its data would know it. */
    private void freeMemory() {
        List<String> lines = ownFile(folder());
        if (lines.size() < 7 || lines.get(6).isBlank()) {
            return;
        }
        String[] keyAndId = lines.get(6).strip().split("\\s+");
        try {
            Commands.run(
                    folder().path(), List.of("sh", "-c", "ipcrm -m \"$0\" || true", keyAndId[keyAndId.length - 1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
