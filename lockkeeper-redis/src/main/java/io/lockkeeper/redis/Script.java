package io.lockkeeper.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script of this module: its text and the digest that EVALSHA knows it by. */
final class Script {

    private final String name;
    private final byte[] text;
    private final byte[] digest;

    private Script(String name, byte[] text) {
        this.name = name;
        this.text = text;
        this.digest = HexFormat.of().formatHex(sha1(text)).getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads {@code <name>.lua} from beside this class. */
    static Script load(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("The script " + name + ".lua is missing from the jar");
            }
            return new Script(name, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    byte[] text() {
        return text;
    }

    byte[] digest() {
        return digest;
    }

    private static byte[] sha1(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(text);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
