package io.lockkeeper.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A database in which names and ids are texts that compare byte by byte, whatever the settings of the session. */
abstract class TextKeyDialect extends Dialect {

    TextKeyDialect(Tables tables) {
        super(tables);
    }

    @Override
    final Object key(String text) {
        return KeyText.encode(text);
    }

    @Override
    final @Nullable String readKey(ResultSet row, String column) throws SQLException {
        String text = row.getString(column);
        return text == null ? null : KeyText.decode(text);
    }

    @Override
    final String unlessThere() {
        return " ON CONFLICT DO NOTHING";
    }
}
