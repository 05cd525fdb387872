package io.lockkeeper.testkit.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The connection pooler PgBouncer in front of a PostgreSQL server, on a random port of the loopback address. It lends a
 * connection of the server to a client for one transaction only: what belongs to a session, as {@code LISTEN}, settings,
 * and statements prepared by name (before its version 1.21), does not work behind it.
 *
 * <p>No Maven artifact carries it. The environment variable {@code LOCKKEEPER_PGBOUNCER} or the system property
 * {@code lockkeeper.pgbouncer} names the program.
 */
public final class PgBouncer implements AutoCloseable {

    static final String PROPERTY = "lockkeeper.pgbouncer";
    static final String VARIABLE = "LOCKKEEPER_PGBOUNCER";

    private final ServerProcess process;

    private PgBouncer(ServerProcess process) {
        this.process = process;
    }

    /**
     * Starts it, in transaction mode, and returns when it listens.
     *
     * @param size how many connections to the server it has at most, per database and user
     */
    public static PgBouncer before(PostgresServer server, int size) {
        return before(server, size, "transaction");
    }

    /**
     * Starts it in session mode, in which it lends a connection for as long as a client stays.
     *
     * @param size how many connections to the server it has at most, per database and user
     */
    public static PgBouncer ofSessionsBefore(PostgresServer server, int size) {
        return before(server, size, "session");
    }

    private static PgBouncer before(PostgresServer server, int size, String mode) {
        String program = program();
        ServerFolder folder = ServerFolder.create("lockkeeper-pgbouncer");
        return new PgBouncer(ServerProcess.start(
                "PgBouncer", folder, port -> command(program, folder, server, port, size, mode), PgBouncer::isReady));
    }

    private static String program() {
        String named = System.getProperty(
                PROPERTY, Optional.ofNullable(System.getenv(VARIABLE)).orElse(""));
        if (!Files.isExecutable(Path.of(named)) || Files.isDirectory(Path.of(named))) {
            throw new IllegalStateException("No PgBouncer is at '" + named + "', which " + VARIABLE + " or " + PROPERTY
                    + " names; name the path of a pgbouncer (.ci/debian-server fetches one)");
        }
        return Path.of(named).toAbsolutePath().toString();
    }

    private static List<String> command(
            String program, ServerFolder folder, PostgresServer server, int port, int size, String mode) {
        Path settings = folder.path().resolve("pgbouncer.ini");
        Path users = folder.path().resolve("users.txt");
        String text = """
                [databases]
                * = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = %s
                default_pool_size = %d
                max_client_conn = 1000
                ignore_startup_parameters = extra_float_digits
                """.formatted(server.port(), port, users, mode, size);
        try {
            Files.writeString(settings, text);
            Files.writeString(users, "\"postgres\" \"postgres\"\n\"app\" \"app\"\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of(program, settings.toString());
    }

    private static boolean isReady(ServerProcess process) {
        return process.logOfThisRun().contains("process up:");
    }

    public int port() {
        return process.port();
    }

    /** A database of the server, as it is found here. */
    public SqlDatabase through(SqlDatabase database) {
        String url = database.url().replaceFirst("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + port());
        return new SqlDatabase(url, database.user(), database.password());
    }

    /** Kills it (SIGKILL): all connections of clients are cut. */
    public void kill() {
        process.kill();
    }

    /** Kills it if it lives, starts it again on the same port, and returns when it listens. */
    public void restart() {
        process.restart();
    }

    /** Stops it (SIGSTOP): connections stay open and nothing is answered. */
    public void pause() {
        process.pause();
    }

    /** Lets it go on (SIGCONT). */
    public void resume() {
        process.resume();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it wrote to its log, for people. */
    public String log() {
        return process.folder().log();
    }

    /** Kills it and removes what it wrote. */
    @Override
    public void close() {
        kill();
        process.folder().delete();
    }

    @Override
    public String toString() {
        return process.toString();
    }
}
