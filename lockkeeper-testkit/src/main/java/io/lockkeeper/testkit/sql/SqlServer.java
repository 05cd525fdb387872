package io.lockkeeper.testkit.sql;

import java.util.List;

/** A database server in processes of its own, and what can happen to it. */
public interface SqlServer extends AutoCloseable {

    /** The user of least privilege that every server has: it may connect, and nothing more until it is granted. */
    String APP = "app";

    int port();

    /** The process that the others, if there are any, descend from. */
    long pid();

    /** The numbers of all its processes, those that serve connections too. */
    List<Long> pids();

    boolean isAlive();

    /** The database that is always there, for the administrator. */
    SqlDatabase admin();

    /** A database by its name, for the administrator. */
    SqlDatabase database(String name);

    /** A new, empty database for the administrator; {@link #asApp} is for the user of least privilege. */
    SqlDatabase createDatabase();

    /** The same database for the user of least privilege. */
    default SqlDatabase asApp(SqlDatabase database) {
        return database.as(APP, APP);
    }

    /** Kills it (SIGKILL) with all its processes, and returns when they are gone. */
    void kill();

    /** Kills it if it lives, starts it again with its data on the same port, and returns when it answers. */
    void restart();

    /** Stops all its processes (SIGSTOP): connections stay open and nothing is answered. Returns when all have stopped. */
    void pause();

    /** Lets it go on (SIGCONT); it answers what was sent in the meantime. */
    void resume();

    /**
     * Ends connections of clients, and returns when they have ended.
     *
     * @param where which ones: a condition about the columns of the server's own list of connections
     * @return how many
     */
    int terminateConnections(String where);

    /** Ends all connections of clients. */
    default int terminateConnections() {
        return terminateConnections("1 = 1");
    }

    /** Refuses writes from now on, also on open connections; or accepts them again. */
    void readOnly(boolean on);

    /** What it wrote to its log, for people. */
    String log();

    /** The end of its log now, for {@link #troubleSince}. */
    long mark();

    /** The lines of its log since then that tell of warnings and errors. */
    List<String> troubleSince(long mark);

    /** Ends it and removes what it wrote. */
    @Override
    void close();
}
