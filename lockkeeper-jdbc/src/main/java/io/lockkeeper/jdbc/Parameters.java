package io.lockkeeper.jdbc;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of the parameters of a statement, by name. */
final class Parameters {

    private final Map<String, Object> values = new HashMap<>();

    Parameters set(String name, @Nullable Object value) {
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, value);
        }
        return this;
    }

    /** The value; null is sent as NULL. */
    @Nullable
    Object get(String name) {
        return values.get(name);
    }
}
