package io.lockkeeper.testkit.sql;

/**
 * A MySQL server on a random port of the loopback address: one process with a thread per connection. Its administrator is
 * {@code admin}, with that as the password too.
 */
public final class MySqlServer extends MySqlFamily {

    private MySqlServer(ServerProcess process) {
        super(process);
    }

    /** One server without any wishes. */
    public static MySqlServer start() {
        return options().start();
    }

    /** What can be wished for. */
    public static MySqlOptions options() {
        return new MySqlOptions();
    }

    static MySqlServer start(MySqlOptions options) {
        ServerFolder folder = ServerFolder.copyOf(options.home().emptyData(), "lockkeeper-mysql");
        return new MySqlServer(ServerProcess.start(
                "MySQL", folder, port -> options.command(folder.data(), port), MySqlFamily::isReady));
    }

    /** Passwords are exchanged without TLS, so the driver must be allowed to ask for the server's key. */
    @Override
    public SqlDatabase database(String name) {
        String url = "jdbc:mysql://127.0.0.1:" + port() + "/" + name + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
        return new SqlDatabase(url, ADMIN, ADMIN);
    }

    /** How many bytes were written to the log of changes (redo log) since it was started last, in whole blocks. */
    public long redoBytes() {
        return status("Innodb_os_log_written");
    }
}
