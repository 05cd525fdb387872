package io.lockkeeper.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Calls of small scripts, for tests of connections. */
final class Calls {

    static final Duration LIMIT = Duration.ofSeconds(5);

    /** Adds to a number; so it shows how often it was executed. */
    static final Script COUNT = Script.load("count");

    static final Script KINDS = Script.load("kinds");

    private Calls() {}

    /** How a server without a password is entered. */
    static Access open() {
        return Access.of(null, 0, null);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Redis.Call count(String key) {
        return count(key, 1);
    }

    static Redis.Call count(String key, int by) {
        return new Redis.Call(COUNT, List.of(bytes(key)), List.of(bytes(Integer.toString(by))));
    }

    static List<Redis.Call> counts(String key, int times) {
        List<Redis.Call> calls = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            calls.add(count(key));
        }
        return calls;
    }
}
