package io.lockkeeper.redis.client;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script: its text, and the digest by which EVALSHA knows it. */
public final class Script {

    private final String name;
    private final byte[] text;
    private final byte[] digest;
    private final boolean brief;

    /** @param brief whether its arguments and its reply are short, so that it may share a connection with others */
    public Script(String name, byte[] text, boolean brief) {
        this.name = name;
        this.brief = brief;
        this.text = text;
        this.digest = HexFormat.of().formatHex(sha1(text)).getBytes(StandardCharsets.US_ASCII);
    }

    String name() {
        return name;
    }

    /** Whether what it is told and what it answers is short, so that it may go over a connection with those of others. */
    boolean isBrief() {
        return brief;
    }

    byte[] text() {
        return text;
    }

    public byte[] digest() {
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
