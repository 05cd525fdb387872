package io.lockkeeper.testkit.sql;

/**
 * A MariaDB server on a random port of the loopback address: one process with a thread per connection. Its administrator is
 * {@code admin}, with that as the password too.
 */
public final class MariaDbServer extends MySqlFamily {

    private MariaDbServer(ServerProcess process) {
        super(process);
    }

    /** One server without any wishes. */
    public static MariaDbServer start() {
        return options().start();
    }

    /** What can be wished for. */
    public static MariaDbOptions options() {
        return new MariaDbOptions();
    }

    static MariaDbServer start(MariaDbOptions options) {
        ServerFolder folder = ServerFolder.copyOf(options.home().emptyData(), "lockkeeper-mariadb");
        return new MariaDbServer(ServerProcess.start(
                "MariaDB", folder, port -> options.command(folder.data(), port), MySqlFamily::isReady));
    }

    @Override
    public SqlDatabase database(String name) {
        return new SqlDatabase("jdbc:mariadb://127.0.0.1:" + port() + "/" + name, ADMIN, ADMIN);
    }

    /** The same database through the driver of MySQL, which many applications use for MariaDB. */
    public SqlDatabase byMySqlDriver(SqlDatabase database) {
        String url = database.url().replace("jdbc:mariadb:", "jdbc:mysql:");
        return new SqlDatabase(url, database.user(), database.password());
    }

    /** How many bytes were written to the log of changes (redo log) since the server was made. */
    public long redoBytes() {
        return status("Innodb_lsn_current");
    }
}
