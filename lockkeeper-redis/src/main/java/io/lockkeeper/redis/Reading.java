package io.lockkeeper.redis;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.PushConsumerChainImpl;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * Replies, out of the bytes that came so far (RESP, version 2).
 *
 * <p>What it keeps: a reply is taken whole or not at all. Whoever waits for the rest of one may give up in the middle, and another thread goes on
 * where it was; were half a reply taken, the next one would be read from the middle, as the answer to another request.
 */
final class Reading {

    /** There is no whole reply yet. */
    static final Object NOT_YET = new Object();

    private static final int USUAL = 8 * 1024;

    private static final PushConsumerChain NO_PUSHES = PushConsumerChainImpl.of();

    private byte[] bytes = new byte[USUAL];
    private int start;
    private int end;

    /** How far the reply that begins at the start was looked at, and how many values of it are missing. */
    private int seen;

    private int missing = 1;

    /** Waits until something comes, and keeps it. */
    void fill(InputStream in) throws IOException {
        if (end == bytes.length) {
            makeRoom();
        }
        int count = in.read(bytes, end, bytes.length - end);
        if (count < 0) {
            throw new JedisConnectionException("Unexpected end of stream.");
        }
        end += count;
    }

    private void makeRoom() {
        byte[] to = start > 0 ? bytes : new byte[2 * bytes.length];
        System.arraycopy(bytes, start, to, 0, end - start);
        bytes = to;
        end -= start;
        seen -= start;
        start = 0;
    }

    /**
     * The next reply: {@code Long}, {@code byte[]}, a list of these, null, or, not thrown, the {@link JedisDataException} that an
     * error is; {@link #NOT_YET} if it is not whole yet.
     */
    @Nullable
    Object next() {
        if (!isWhole()) {
            return NOT_YET;
        }
        int after = seen;
        seen = start;
        Object reply = value();
        start = after;
        seen = after;
        missing = 1;
        if (start == end) {
            forget();
        }
        return reply;
    }

    /** Whether nothing has come that was not taken. */
    boolean isEmpty() {
        return start == end;
    }

    private void forget() {
        start = 0;
        end = 0;
        seen = 0;
        if (bytes.length > 8 * USUAL) {
            bytes = new byte[USUAL];
        }
    }

    /** Goes on looking where it ended the last time. */
    private boolean isWhole() {
        while (missing > 0) {
            if (seen == end) {
                return false;
            }
            byte kind = bytes[seen];
            if (kind != ':' && kind != '$' && kind != '*' && kind != '-' && kind != '+') {
                throw new JedisConnectionException("Unknown reply: " + (char) kind);
            }
            int line = endOfLine(seen);
            if (line < 0) {
                return false;
            }
            int next = line + 2;
            int more = -1;
            if (kind == '$') {
                long length = number(seen + 1, line);
                if (length >= 0 && length > end - next - 2) {
                    return false;
                }
                next += length < 0 ? 0 : (int) length + 2;
            } else if (kind == '*') {
                more += (int) Math.max(0, number(seen + 1, line));
            }
            missing += more;
            seen = next;
        }
        return true;
    }

    /** Where the line feed with its carriage return begins; -1 if it is not there yet. */
    private int endOfLine(int from) {
        for (int i = from; i < end - 1; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private long number(int from, int to) {
        long number = 0;
        boolean negative = bytes[from] == '-';
        for (int i = negative ? from + 1 : from; i < to; i++) {
            number = 10 * number + (bytes[i] - '0');
        }
        return negative ? -number : number;
    }

    /** Takes a value that is there. */
    private @Nullable Object value() {
        int begin = seen;
        int line = endOfLine(begin);
        seen = line + 2;
        return switch (bytes[begin]) {
            case ':' -> number(begin + 1, line);
            case '+' -> Arrays.copyOfRange(bytes, begin + 1, line);
            case '-' -> error(begin);
            case '$' -> {
                int length = (int) number(begin + 1, line);
                if (length < 0) {
                    yield null;
                }
                seen += length + 2;
                yield Arrays.copyOfRange(bytes, line + 2, line + 2 + length);
            }
            default -> {
                int count = (int) number(begin + 1, line);
                if (count < 0) {
                    yield null;
                }
                List<@Nullable Object> values = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    values.add(value());
                }
                yield values;
            }
        };
    }

    /** The client library knows which exception an error is. */
    private Object error(int begin) {
        try {
            return Protocol.read(new RedisInputStream(new ByteArrayInputStream(bytes, begin, seen - begin)), NO_PUSHES);
        } catch (JedisDataException e) {
            return e;
        }
    }
}
