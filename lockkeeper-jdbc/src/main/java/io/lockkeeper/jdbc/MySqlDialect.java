package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * MySQL 8 and MariaDB 10.6 and later.
 *
 * <p>Neither answers an UPDATE with values, but {@code LAST_INSERT_ID(n)} makes n the generated key of the statement. It carries
 * the last token and the number of tokens in one number, so that a grant is one request. It stands in the first assignment:
 * these databases assign one after the other (MariaDB only without {@code SIMULTANEOUS_ASSIGNMENT}), so that later ones would see
 * new values on one and old values on another.
 */
final class MySqlDialect extends BinaryKeyDialect {

    /** A token in microseconds needs 52 bits until the year 2112; the number of tokens has the 11 bits below. */
    private static final long TOKENS = 2_048;

    private final String name;

    MySqlDialect(Tables tables, String name) {
        super(tables);
        this.name = name;
    }

    @Override
    String name() {
        return name;
    }

    @Override
    String script() {
        return "mysql.sql";
    }

    /** Not UNIX_TIMESTAMP, which reads a local time and so repeats an hour each autumn. */
    @Override
    String clock() {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
    }

    @Override
    String quoted(String identifier) {
        return '`' + identifier + '`';
    }

    /**
     * Rows that another transaction has locked are passed over, so that one of them does not hold up the others. The LIMIT keeps
     * the inner table apart from the outer one, which is the same; the order of the join keeps the server from looking at every
     * row of the outer one, the locked ones too.
     */
    @Override
    String renewText(String due) {
        return "UPDATE (SELECT name, family FROM " + lock() + due + " LIMIT " + renewedAtOnce()
                + " FOR UPDATE SKIP LOCKED) d STRAIGHT_JOIN " + lock()
                + " t ON t.name = d.name AND t.family = d.family SET t.version = t.version + 1, t.expires_at = "
                + clock()
                + " + ?";
    }

    @Override
    boolean renewsLeaseFirst() {
        return false;
    }

    @Override
    String acquireText(String where) {
        return "UPDATE " + lock() + " SET version = version + 1 + 0 * LAST_INSERT_ID((" + newLastToken() + ") * "
                + TOKENS + " + (" + newTokens() + ")), " + acquireAssignments() + where;
    }

    @Override
    Row.Acquired acquire(Connection connection, Sql statement, Parameters values) throws SQLException {
        try (PreparedStatement prepared = statement.prepareWithKey(connection, values)) {
            if (prepared.executeUpdate() == 0) {
                return Row.Acquired.refused(null);
            }
            try (ResultSet keys = prepared.getGeneratedKeys()) {
                if (!keys.next()) {
                    throw new SQLException("The driver has no generated key for an UPDATE with LAST_INSERT_ID");
                }
                long both = keys.getLong(1);
                return Row.Acquired.granted(both / TOKENS, (int) (both % TOKENS));
            }
        }
    }
}
