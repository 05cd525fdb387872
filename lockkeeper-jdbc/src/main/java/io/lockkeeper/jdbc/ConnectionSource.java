package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Where connections come from. */
interface ConnectionSource extends AutoCloseable {

    /** A connection that is there already, without waiting; null if there is none. */
    @Nullable
    Connection idle();

    /** A connection; it may block for as long as its driver or pool likes. */
    Connection open() throws SQLException;

    /** Takes back a connection that owes no answer and is as it was opened. */
    void giveBack(Connection connection);

    /** Ends a connection that may owe an answer, so that nobody can use it again. */
    void discard(Connection connection);

    /** The name of the database for people, without user and password. */
    String describe();

    @Override
    void close();

    /** Cuts a connection off, then closes it. The cut comes first: a pool would lend it again after a mere close. */
    static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            // The close below is the second best.
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // It is of no use any more, whatever that says.
        }
    }
}
