package io.lockkeeper.jdbc;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Keeper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Session locks of MySQL and MariaDB: {@code GET_LOCK}, by a name.
 *
 * <p><b>Invariant.</b> All locks are in one session of the server. That session has a lock of its own under a random name, the mark,
 * and each statement does something only where the mark is. Something in between that passes a statement on to another session is
 * so found out before it has done harm. {@code CONNECTION_ID()} alone would not do: proxies answer it themselves.
 *
 * <p>What would break the order of tokens: {@code NOW(6)}, or a server that was started with {@code --sysdate-is-now}, which read the
 * clock when the statement begins and not after the lock was taken. Such a server is refused.
 */
final class MySqlSessionSql extends SessionSql {

    private static final String CLOCK = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', SYSDATE(6))";
    private static final String HERE =
            "SELECT CASE WHEN COALESCE(IS_USED_LOCK(?), 0) <> CONNECTION_ID() THEN " + ELSEWHERE;

    /** With the lock at hand the turn is of no use any more. */
    private static final String GIVING_BACK = "CASE WHEN RELEASE_LOCK(?) = 1 THEN " + CLOCK + " END";

    private final String mark;
    private final String scope;

    private MySqlSessionSql(Connection connection, String mark, String scope) {
        super(connection);
        this.mark = mark;
        this.scope = scope;
    }

    static MySqlSessionSql on(Connection connection, Keeper keeper) throws SQLException {
        // Whole seconds, and never fewer than the keeper counts on.
        execute(connection, "SET SESSION wait_timeout = " + (keeper.lease().toSeconds() + 1));
        // SYSDATE is a local time, and would repeat an hour each autumn.
        execute(connection, "SET time_zone = '+00:00'");
        if (!text(connection, "SELECT CASE WHEN SLEEP(0.002) = 0 AND SYSDATE(6) > NOW(6) THEN 1 ELSE 0 END")
                .equals("1")) {
            throw new UnfitDatabaseException(
                    "The server was started with sysdate-is-now, so that tokens of session locks"
                            + " could go back; start it without, or use a JdbcBackend, which keeps locks in a table");
        }
        String mark = "lk_s_" + UUID.randomUUID().toString().replace("-", "");
        if (!text(connection, "SELECT GET_LOCK('" + mark + "', 0)").equals("1")) {
            throw new SQLException("The server gave no lock under a name that nobody uses");
        }
        MySqlSessionSql sql = new MySqlSessionSql(connection, mark, text(connection, "SELECT DATABASE()"));
        if (sql.ping() != DONE) {
            throw new UnfitDatabaseException(
                    "Two statements of one connection came to two sessions of the server, as behind a"
                            + " proxy, on which session locks would stay for nobody; connect to the server itself, or use a"
                            + " JdbcBackend, which works behind any proxy");
        }
        return sql;
    }

    @Override
    LockKey key(Resource resource) {
        return LockKey.ofName(scope, resource);
    }

    @Override
    boolean hasShared() {
        return false;
    }

    /** What is to be evaluated after something else is an arm of its CASE. */
    @Override
    long tryLock(LockKey key, boolean shared, boolean staying) throws SQLException {
        String lock = key.name();
        String turn = key.turn().name();
        String text = HERE + " WHEN GET_LOCK(?, 0) = 1 THEN CASE WHEN GET_LOCK(?, 0) = 1 THEN " + GIVING_BACK;
        return staying
                ? number(text + " ELSE " + IN_TURN + " END ELSE 0 END", mark, turn, lock, turn)
                : number(text + " WHEN RELEASE_LOCK(?) = 1 THEN 0 ELSE 0 END ELSE 0 END", mark, turn, lock, turn, turn);
    }

    @Override
    long tryLockInTurn(LockKey key, boolean shared) throws SQLException {
        return number(
                HERE + " WHEN GET_LOCK(?, 0) = 1 THEN " + GIVING_BACK + " ELSE 0 END",
                mark,
                key.name(),
                key.turn().name());
    }

    @Override
    long tryTurn(LockKey key) throws SQLException {
        return number(
                HERE + " WHEN GET_LOCK(?, 0) = 1 THEN " + IN_TURN + " ELSE 0 END",
                mark,
                key.turn().name());
    }

    @Override
    long unlock(LockKey key, boolean shared) throws SQLException {
        return number(HERE + " WHEN RELEASE_LOCK(?) = 1 THEN 1 ELSE 0 END", mark, key.name());
    }

    @Override
    long narrow(LockKey key) {
        throw new IllegalStateException("GET_LOCK knows no shared locks");
    }

    @Override
    long ping() throws SQLException {
        return number(HERE + " ELSE 1 END", mark);
    }

    @Override
    List<Seen> holders(LockKey key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT COALESCE(IS_USED_LOCK(?), 0), COALESCE(IS_USED_LOCK(?), 0)")) {
            statement.setString(1, key.name());
            statement.setString(2, mark);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next() || rows.getLong(1) == 0) {
                    return List.of();
                }
                long holder = rows.getLong(1);
                return List.of(new Seen(
                        holder == rows.getLong(2),
                        false,
                        new HolderInfo("", "connection " + holder + " of the server", 0, "")));
            }
        }
    }

    @Override
    void unlockAll() throws SQLException {
        execute(connection, "SELECT RELEASE_ALL_LOCKS()");
    }

    /** Locks are those of one server. */
    @Override
    String storeId() throws SQLException {
        String id = "";
        try (PreparedStatement statement = connection.prepareStatement(
                        "SHOW VARIABLES WHERE Variable_name IN ('server_uuid', 'server_uid', 'hostname', 'port')");
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                id += rows.getString(1) + "=" + rows.getString(2) + " ";
            }
        }
        return "mysql-" + id + scope;
    }
}
