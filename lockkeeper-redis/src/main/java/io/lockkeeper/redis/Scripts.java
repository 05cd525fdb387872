package io.lockkeeper.redis;

import io.lockkeeper.redis.client.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Lua scripts of the store, read from beside this class. */
final class Scripts {

    private static final Pattern INCLUDE = Pattern.compile("(?m)^--include (\\w+)$");

    static final Script ATTEMPT = load("attempt");
    static final Script RELEASE = load("release");
    static final Script RENEW = load("renew", false);
    static final Script RAISE = load("raise");
    static final Script EXTEND = load("extend");
    static final Script NARROW = load("narrow");
    static final Script INSPECT = load("inspect", false);
    static final Script FORCE = load("force");
    static final Script RESIZE = load("resize");
    static final Script SIZE = load("size");
    static final Script LATCH = load("latch");
    static final Script STORE = load("store");
    static final Script GUARD = load("guard", false);

    private Scripts() {}

    /** Reads {@code <name>.lua} from beside this class, and what it includes. */
    static Script load(String name) {
        return load(name, true);
    }

    private static Script load(String name, boolean brief) {
        String text = read(name);
        String whole = INCLUDE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(read(found.group(1))));
        return new Script(name, whole.getBytes(StandardCharsets.UTF_8), brief);
    }

    private static String read(String name) {
        try (InputStream in = Scripts.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("The script " + name + ".lua is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
