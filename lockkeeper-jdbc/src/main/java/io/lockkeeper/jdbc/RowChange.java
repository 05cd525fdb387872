package io.lockkeeper.jdbc;

import static io.lockkeeper.spi.Arguments.given;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@link VersionedUpdate} is to write to a row that was read: new values of columns, or nothing. */
public final class RowChange {

    private static final RowChange NONE = new RowChange("", List.of());

    private final String assignments;
    private final List<@Nullable Object> values;

    private RowChange(String assignments, List<@Nullable Object> values) {
        this.assignments = assignments;
        this.values = values;
    }

    /** The row stays as it is. */
    public static RowChange none() {
        return NONE;
    }

    /** A column gets a value. */
    public static RowChange set(String column, @Nullable Object value) {
        return new RowChange(Idiom.name("column", given(column, "column")) + " = ?", Collections.singletonList(value));
    }

    /**
     * Assignments as they stand in an UPDATE, such as {@code stock = stock - ?}.
     *
     * @param parameters one for each question mark
     */
    public static RowChange sql(String assignments, @Nullable Object... parameters) {
        List<@Nullable Object> values = new ArrayList<>();
        Collections.addAll(values, parameters);
        return new RowChange(given(assignments, "assignments"), values);
    }

    /** A further column gets a value. */
    public RowChange and(String column, @Nullable Object value) {
        RowChange further = set(column, value);
        if (isNone()) {
            return further;
        }
        List<@Nullable Object> all = new ArrayList<>(values);
        all.addAll(further.values);
        return new RowChange(assignments + ", " + further.assignments, all);
    }

    boolean isNone() {
        return assignments.isBlank();
    }

    String assignments() {
        return assignments;
    }

    List<@Nullable Object> values() {
        return values;
    }
}
