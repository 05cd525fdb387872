package io.lockkeeper.jdbc;

/** The databases on which a test is run. */
enum Place {
    H2,
    SQLITE,
    POSTGRES,
    MARIADB;

    /** Tables of their own in this database, which other tests of this JVM use too. */
    SqlScene scene() {
        return SqlScene.on(this);
    }

    boolean isServer() {
        return this == POSTGRES || this == MARIADB;
    }
}
