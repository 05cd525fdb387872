package io.lockkeeper.jdbc;

import io.lockkeeper.LockkeeperException;
import java.sql.SQLException;

/**
 * Thrown when the database ended a wait for a row because two transactions waited for each other. The transaction of the caller
 * was chosen to give way; roll it back and repeat it. Transactions that lock all their rows by one call of {@link RowLock#lockAll}
 * do not meet this among themselves.
 */
public final class RowDeadlockException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    RowDeadlockException(String row, SQLException cause) {
        super(
                "The wait for " + row
                        + " was a deadlock with another transaction; roll back and repeat the transaction,"
                        + " and lock rows in one order everywhere",
                cause);
    }
}
