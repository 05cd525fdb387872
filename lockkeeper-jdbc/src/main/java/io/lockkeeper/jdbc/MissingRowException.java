package io.lockkeeper.jdbc;

import io.lockkeeper.LockkeeperException;

/** Thrown when a row that should be changed is not there. */
public final class MissingRowException extends LockkeeperException {
    private static final long serialVersionUID = 1;

    MissingRowException(String table, String key, Object value) {
        super("There is no row of " + Idiom.row(table, key, value) + "; insert it first");
    }
}
