package io.lockkeeper.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A database in which names and ids are bytes of UTF-8. Its texts compare by a collation that the database, the session or the
 * column decides: 'A' may be 'a', and 'a' may be 'a ' with a space.
 */
abstract class BinaryKeyDialect extends Dialect {

    BinaryKeyDialect(Tables tables) {
        super(tables);
    }

    @Override
    final String beginsWith(String column, String value) {
        return "SUBSTRING(" + column + ", 1, OCTET_LENGTH(" + value + ")) = " + value;
    }

    @Override
    final Object key(String text) {
        return KeyText.encode(text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    final @Nullable String readKey(ResultSet row, String column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : KeyText.decode(new String(bytes, StandardCharsets.UTF_8));
    }
}
