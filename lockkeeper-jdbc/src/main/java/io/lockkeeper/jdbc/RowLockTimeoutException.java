package io.lockkeeper.jdbc;

import io.lockkeeper.LockkeeperException;
import java.sql.SQLException;

/**
 * Thrown when another transaction has a row locked: at once if the caller did not want to wait, otherwise when the timeout has
 * passed. Roll the transaction back; on PostgreSQL it cannot go on.
 */
public final class RowLockTimeoutException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    RowLockTimeoutException(String row, String waited, SQLException cause) {
        super(
                "Another transaction has a lock on " + row + ", " + waited
                        + "; roll back, and repeat the transaction later",
                cause);
    }
}
