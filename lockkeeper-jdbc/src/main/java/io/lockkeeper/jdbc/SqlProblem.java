package io.lockkeeper.jdbc;

import java.sql.SQLException;
import java.util.Set;

/** What a {@link SQLException} means, by its state and the vendor's code. */
enum SqlProblem {
    /** The statement was not executed because of another one at the same time; it is repeated. */
    CONFLICT,
    /** The row is there already. */
    DUPLICATE,
    /** The table, or a column of it, is missing. */
    TABLE,
    /** The database does not accept writes now. */
    READ_ONLY,
    /** The user lacks a right. */
    RIGHT,
    /** Anything else. Whether the statement was executed is not known. */
    OTHER;

    /** Whether the database has said all that it has to say, so that the connection can be used again. */
    boolean isAnswer() {
        return this != OTHER;
    }

    private static final String DEADLOCK_STATE = "40P01";
    private static final String LOCK_TIMEOUT_STATE = "55P03";
    private static final Set<String> CONFLICTS = Set.of("40001", DEADLOCK_STATE, LOCK_TIMEOUT_STATE);

    private static final int MYSQL_DEADLOCK = 1213;
    private static final int MYSQL_LOCK_TIMEOUT = 1205;
    private static final int MYSQL_NOWAIT = 3572;
    private static final int MYSQL_ROW_CHANGED = 1020;

    private static final int H2_DEADLOCK = 40001;
    private static final int H2_LOCK_TIMEOUT = 50200;
    private static final int H2_CONCURRENT_UPDATE = 90131;

    private static final int SQLITE_BUSY = 5;
    private static final int SQLITE_LOCKED = 6;

    /** Whether the statement waited for a lock of another transaction for as long as it may, or was not to wait at all. */
    static boolean isLockTimeout(SQLException e, Product product) {
        int code = e.getErrorCode();
        return switch (product) {
            case POSTGRESQL -> LOCK_TIMEOUT_STATE.equals(e.getSQLState());
            case MYSQL, MARIADB -> code == MYSQL_LOCK_TIMEOUT || code == MYSQL_NOWAIT;
            case H2 -> code == H2_LOCK_TIMEOUT;
            case SQLITE -> (code & 0xff) == SQLITE_BUSY;
        };
    }

    /** Whether the database ended the statement because two transactions waited for each other. */
    static boolean isDeadlock(SQLException e, Product product) {
        return switch (product) {
            case POSTGRESQL -> DEADLOCK_STATE.equals(e.getSQLState());
            case MYSQL, MARIADB -> e.getErrorCode() == MYSQL_DEADLOCK;
            case H2 -> e.getErrorCode() == H2_DEADLOCK;
            case SQLITE -> false;
        };
    }

    static SqlProblem of(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String vendor = e.getClass().getName();
        int code = e.getErrorCode();
        if (vendor.startsWith("org.sqlite")) {
            return sqlite(code & 0xff, e);
        }
        if (vendor.startsWith("org.h2")) {
            return h2(code);
        }
        if (CONFLICTS.contains(state)) {
            return CONFLICT;
        }
        if (state.startsWith("23")) {
            return DUPLICATE;
        }
        if (state.equals("25006")) {
            return READ_ONLY;
        }
        if (state.equals("42501")) {
            return RIGHT;
        }
        if (state.equals("42P01")
                || state.equals("42703")
                || state.equals("3F000")
                || state.equals("42S02")
                || state.equals("42S22")) {
            return TABLE;
        }
        return state.startsWith("08") ? OTHER : mysql(code);
    }

    private static SqlProblem mysql(int code) {
        return switch (code) {
            case MYSQL_DEADLOCK, MYSQL_LOCK_TIMEOUT, MYSQL_ROW_CHANGED -> CONFLICT;
            case 1062 -> DUPLICATE;
            case 1290, 1792, 1836 -> READ_ONLY;
            case 1142, 1143, 1044 -> RIGHT;
            case 1146, 1054 -> TABLE;
            default -> OTHER;
        };
    }

    private static SqlProblem h2(int code) {
        return switch (code) {
            case H2_DEADLOCK, H2_LOCK_TIMEOUT, H2_CONCURRENT_UPDATE -> CONFLICT;
            case 23505 -> DUPLICATE;
            case 42102, 42103, 42104, 42122, 90079 -> TABLE;
            case 90097 -> READ_ONLY;
            case 90096 -> RIGHT;
            default -> OTHER;
        };
    }

    private static SqlProblem sqlite(int code, SQLException e) {
        return switch (code) {
            case SQLITE_BUSY, SQLITE_LOCKED -> CONFLICT;
            case 19 -> DUPLICATE;
            case 8 -> READ_ONLY;
            case 1 -> String.valueOf(e.getMessage()).contains("no such") ? TABLE : OTHER;
            default -> OTHER;
        };
    }
}
