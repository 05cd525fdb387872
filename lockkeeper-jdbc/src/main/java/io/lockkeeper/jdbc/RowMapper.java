package io.lockkeeper.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes a value of the current row of a result. It must not move to another row, nor keep the result. */
@FunctionalInterface
public interface RowMapper<T> {

    T map(ResultSet row) throws SQLException;
}
