package io.lockkeeper.redis.client;

import io.lockkeeper.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Calls of small scripts, for tests of connections. */
public final class TestScripts {

    public static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Adds to a number; so it shows how often it was executed. */
    public static final Script COUNT = load("count", true);

    /** Answers with a reply of each kind. */
    public static final Script KINDS = load("kinds", true);

    /** {@link #COUNT} as a script that does not share its connection. */
    static final Script LONG_COUNT = load("count", false);

    private TestScripts() {}

    private static Script load(String name, boolean brief) {
        try (InputStream in = TestScripts.class.getResourceAsStream(name + ".lua")) {
            return new Script(name, Objects.requireNonNull(in).readAllBytes(), brief);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How to log in to a server without a password. */
    static ConnectionSettings open() {
        return ConnectionSettings.of(null, 0, null);
    }

    static Address address(RedisServer server) {
        return new Address("127.0.0.1", server.port());
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static Redis.Call count(String key) {
        return count(key, 1);
    }

    public static Redis.Call count(String key, int by) {
        return new Redis.Call(COUNT, List.of(bytes(key)), List.of(bytes(Integer.toString(by))));
    }

    public static List<Redis.Call> counts(String key, int times) {
        List<Redis.Call> calls = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            calls.add(count(key));
        }
        return calls;
    }
}
