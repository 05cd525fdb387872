package io.lockkeeper.jdbc;

import io.lockkeeper.Resource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a database calls a resource when it locks it in a session: a part of the SHA-256 of family and name, since neither two
 * integers nor 64 characters have room for a name.
 *
 * <p><b>Invariant.</b> Two resources with the same key exclude each other and never share a lock. The server takes care of that
 * between sessions; inside a session, where its locks are re-entrant, {@link LockSession} does, which counts by key and not by name.
 *
 * @param first of two integers, where the database wants those
 * @param second of two integers
 * @param name where the database wants a name; otherwise empty
 */
record LockKey(int first, int second, String name) {

    private static final String NAMESPACE = "lockkeeper session lock";
    private static final String PREFIX = "lk_";
    private static final String TURN_PREFIX = "lt_";
    private static final int TURN_FIRST = 0x5bd1e995;
    private static final int TURN_SECOND = 0x1b873593;
    private static final int NAME_BYTES = 30;

    /** A key of 64 bits. Two integers are a space of their own: other libraries mostly use that of one number. */
    static LockKey ofIntegers(Resource resource) {
        ByteBuffer hash = ByteBuffer.wrap(hash("", resource));
        return new LockKey(hash.getInt(), hash.getInt(), "");
    }

    /**
     * A key of 240 bits, as a name of 63 lower-case characters: whether upper case counts depends on the server.
     *
     * @param scope what names are to be told apart by on one server, such as the database
     */
    static LockKey ofName(String scope, Resource resource) {
        return new LockKey(0, 0, PREFIX + HexFormat.of().formatHex(hash(scope, resource), 0, NAME_BYTES));
    }

    /** The key of the turn at this lock: see {@link LockSession}. */
    LockKey turn() {
        return name.isEmpty()
                ? new LockKey(first ^ TURN_FIRST, second ^ TURN_SECOND, "")
                : new LockKey(0, 0, TURN_PREFIX + name.substring(PREFIX.length()));
    }

    /** Only the last part may have a character 0, so no two resources are the same text. */
    private static byte[] hash(String scope, Resource resource) {
        String text = String.join("\0", NAMESPACE, scope, resource.family().key(), resource.name());
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
