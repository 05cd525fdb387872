package io.lockkeeper.etcd.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A transaction: some comparisons, what is done if all of them hold, and what is done if not. It is made by one thread and not
 * changed after it was sent.
 */
public final class Txn {

    /** How a list of requests is written; the answers come in the same order. */
    public static final class Requests {

        private final List<String> texts = new ArrayList<>();

        /** Writes a key. */
        public Requests put(String key, String value, long lease) {
            return add("put", "\"key\":" + Json.base64(key) + ",\"value\":" + Json.base64(value) + lease(lease));
        }

        /** Attaches a key that is there to another lease; its value stays. If it is not there, the transaction fails. */
        public Requests attach(String key, long lease) {
            return add("put", "\"key\":" + Json.base64(key) + ",\"ignore_value\":true" + lease(lease));
        }

        /** Writes a key that is there, whose lease stays. If it is not there, the transaction fails. */
        public Requests update(String key, String value) {
            return add(
                    "put",
                    "\"key\":" + Json.base64(key) + ",\"value\":" + Json.base64(value) + ",\"ignore_lease\":true");
        }

        /** Reads one key. */
        public Requests get(String key) {
            return add("range", "\"key\":" + Json.base64(key));
        }

        /** Reads one key without its value. */
        public Requests find(String key) {
            return add("range", "\"key\":" + Json.base64(key) + ",\"keys_only\":true");
        }

        /** Reads the key with this prefix that was created first. */
        public Requests first(String prefix) {
            return add("range", range(prefix) + ",\"limit\":\"1\"" + BY_CREATION);
        }

        /** Reads all keys with this prefix in the order of their creation. */
        public Requests all(String prefix) {
            return add("range", range(prefix) + BY_CREATION);
        }

        /** Counts the keys with this prefix. */
        public Requests count(String prefix) {
            return add("range", range(prefix) + ",\"count_only\":true");
        }

        public Requests delete(String key) {
            return add("delete_range", "\"key\":" + Json.base64(key));
        }

        public Requests deleteAll(String prefix) {
            return add("delete_range", range(prefix));
        }

        private Requests add(String kind, String fields) {
            texts.add("{\"request_" + kind + "\":{" + fields + "}}");
            return this;
        }

        public int size() {
            return texts.size();
        }

        private String text() {
            return "[" + String.join(",", texts) + "]";
        }
    }

    private static final String BY_CREATION = ",\"sort_order\":\"ASCEND\",\"sort_target\":\"CREATE\"";

    private final List<String> compares = new ArrayList<>();
    private final Requests then = new Requests();
    private final Requests orElse = new Requests();

    private static String lease(long lease) {
        return lease == 0 ? "" : ",\"lease\":\"" + lease + "\"";
    }

    private static String range(String prefix) {
        return "\"key\":" + Json.base64(prefix) + ",\"range_end\":" + Json.base64(after(prefix));
    }

    /** The first key that does not begin with the prefix. */
    private static byte[] after(String prefix) {
        byte[] bytes = prefix.getBytes(StandardCharsets.UTF_8);
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] != (byte) 0xff) {
                byte[] end = Arrays.copyOf(bytes, i + 1);
                end[i]++;
                return end;
            }
        }
        return new byte[1];
    }

    /** The key is not there. */
    public Txn ifMissing(String key) {
        return ifCreatedAt(key, 0);
    }

    /** The key was created in that revision; 0 if it is not there. */
    public Txn ifCreatedAt(String key, long revision) {
        compares.add("{\"key\":" + Json.base64(key)
                + ",\"target\":\"CREATE\",\"result\":\"EQUAL\",\"create_revision\":\"" + revision + "\"}");
        return this;
    }

    /** The key was last written in that revision; 0 if it is not there. */
    public Txn ifWrittenAt(String key, long revision) {
        compares.add("{\"key\":" + Json.base64(key) + ",\"target\":\"MOD\",\"result\":\"EQUAL\",\"mod_revision\":\""
                + revision + "\"}");
        return this;
    }

    /** No key with this prefix was written after that revision. */
    public Txn ifNoneWrittenAfter(String prefix, long revision) {
        compares.add("{" + range(prefix) + ",\"target\":\"MOD\",\"result\":\"LESS\",\"mod_revision\":\""
                + (revision + 1) + "\"}");
        return this;
    }

    /** What is done if all comparisons hold. */
    public Requests then() {
        return then;
    }

    /** What is done if not. */
    public Requests orElse() {
        return orElse;
    }

    byte[] text() {
        return ("{\"compare\":[" + String.join(",", compares) + "],\"success\":" + then.text() + ",\"failure\":"
                        + orElse.text() + "}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
