package io.lockkeeper.flashsale;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The lock table of the tutorials, made by hand: to lock is to insert a row with a unique name, to unlock is to delete it. A row
 * that is older than a timeout is deleted by the one that finds it, since otherwise the lock of a dead process would stay.
 *
 * <p>It is here to be compared with. What it lacks: nothing renews the row, so a sale that takes longer than the timeout goes on
 * beside the next one; nothing tells the slow one; there is no token that the data could compare; the age is the difference
 * of two machines' clocks; and all that wait ask again and again.
 */
final class LockTableCheckout implements Checkout {

    private static final long POLL_NANOS = 5_000_000;

    private final String node = UUID.randomUUID().toString();

    @Override
    public Outcome serve(Desk desk) throws SQLException {
        if (!lock(desk)) {
            return Outcome.FAILED;
        }
        try {
            return UnlockedCheckout.sell(desk);
        } finally {
            unlock(desk);
        }
    }

    private boolean lock(Desk desk) throws SQLException {
        long end = System.nanoTime() + Load.PATIENCE.toNanos();
        while (!insert(desk)) {
            desk.attempt();
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Long since = lockedSince(desk);
            if (since != null
                    && System.currentTimeMillis() - since > desk.lease().toMillis()) {
                delete(desk, since);
            } else {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
        return true;
    }

    private boolean insert(Desk desk) throws SQLException {
        try (PreparedStatement insert = desk.connection()
                .prepareStatement(
                        "INSERT INTO resource_lock (resource_name, node_info, created_at) VALUES (?, ?, ?)")) {
            insert.setString(1, desk.lockName());
            insert.setString(2, node);
            insert.setLong(3, System.currentTimeMillis());
            insert.executeUpdate();
            return true;
        } catch (SQLException e) {
            return again(e);
        }
    }

    private static @Nullable Long lockedSince(Desk desk) throws SQLException {
        try (PreparedStatement select =
                desk.connection().prepareStatement("SELECT created_at FROM resource_lock WHERE resource_name = ?")) {
            select.setString(1, desk.lockName());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getLong(1) : null;
            }
        }
    }

    private static void delete(Desk desk, long since) throws SQLException {
        try (PreparedStatement delete = desk.connection()
                .prepareStatement("DELETE FROM resource_lock WHERE resource_name = ? AND created_at = ?")) {
            delete.setString(1, desk.lockName());
            delete.setLong(2, since);
            delete.executeUpdate();
        } catch (SQLException e) {
            again(e);
        }
    }

    private void unlock(Desk desk) throws SQLException {
        for (boolean done = false; !done; ) {
            try (PreparedStatement delete = desk.connection()
                    .prepareStatement("DELETE FROM resource_lock WHERE resource_name = ? AND node_info = ?")) {
                delete.setString(1, desk.lockName());
                delete.setString(2, node);
                delete.executeUpdate();
                done = true;
            } catch (SQLException e) {
                done = again(e);
            }
        }
    }

    /** False after a duplicate key or a deadlock: it may be tried again. Anything else is thrown. */
    private static boolean again(SQLException e) throws SQLException {
        String state = String.valueOf(e.getSQLState());
        if (state.startsWith("23") || state.startsWith("40")) {
            return false;
        }
        throw e;
    }
}
