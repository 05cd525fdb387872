package io.lockkeeper.jdbc;

import io.lockkeeper.line.RowForm;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of locks, as it was read.
 *
 * @param version changes with every write of the row
 * @param form what the row says
 * @param now the database's clock when the row was read, in nanoseconds
 */
record Row(long version, RowForm form, long now) {

    /** What a resource without a row is taken for. */
    static final Row MISSING = new Row(0, new RowForm(0, null, false, null), 0);

    /**
     * The answer to an acquisition by one statement: what was granted, or the row that stands in the way.
     *
     * @param lastToken the last token of the grant; 0 if nothing was granted
     * @param tokens how many tokens the grant has; 0 if nothing was granted
     * @param row the row, if nothing was granted; null if there is none
     */
    record Acquired(long lastToken, int tokens, @Nullable Row row) {

        static Acquired granted(long lastToken, int tokens) {
            return new Acquired(lastToken, tokens, null);
        }

        static Acquired refused(@Nullable Row row) {
            return new Acquired(0, 0, row);
        }

        boolean isGranted() {
            return tokens > 0;
        }
    }
}
