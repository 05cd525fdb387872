package io.lockkeeper.jdbc;

/** The databases that are known, and in what the idioms beside the store differ from one to another. */
enum Product {
    POSTGRESQL("PostgreSQL"),
    MYSQL("MySQL"),
    MARIADB("MariaDB"),
    H2("H2"),
    SQLITE("SQLite");

    private final String title;

    Product(String title) {
        this.title = title;
    }

    /** The name for people. */
    String title() {
        return title;
    }

    boolean isMySql() {
        return this == MYSQL || this == MARIADB;
    }

    /**
     * What makes a SELECT return the row as it is now, and not as it was when the transaction began. PostgreSQL fails instead
     * where the two differ, and SQLite lets nobody write beside a transaction that has written.
     */
    String asItIsNow() {
        return isMySql() || this == H2 ? " FOR UPDATE" : "";
    }
}
