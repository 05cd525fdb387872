package io.lockkeeper.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what scripts answer. */
final class ScriptReplies {

    private ScriptReplies() {}

    @SuppressWarnings("unchecked")
    static List<@Nullable Object> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return (List<@Nullable Object>) list;
        }
        throw unexpected(reply);
    }

    static long number(@Nullable Object reply) {
        if (reply instanceof Long number) {
            return number;
        }
        throw unexpected(reply);
    }

    static String text(@Nullable Object reply) {
        if (reply instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        throw unexpected(reply);
    }

    private static IllegalStateException unexpected(@Nullable Object reply) {
        return new IllegalStateException("A script answered " + (reply == null ? "nothing" : reply.getClass()));
    }
}
