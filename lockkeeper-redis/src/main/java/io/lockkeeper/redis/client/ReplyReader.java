package io.lockkeeper.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replies, out of the bytes that came so far (RESP, versions 2 and 3).
 *
 * <p>Invariant: a reply is taken whole or not at all. A thread that waits for the rest of one may give up in the middle, and another thread goes on
 * where it was; were half a reply taken, the next one would be read from the middle, as the answer to another request. What a
 * server pushes without being asked is no reply, and is not counted as one.
 *
 * <p>Nothing that comes is trusted: lengths, counts, depth and the size of a reply have bounds, and memory is used for what has come, not for what
 * was announced. What breaks a bound or the grammar is a {@link NoReplyException}, after which the connection is of no use.
 */
final class ReplyReader {

    /** There is no whole reply yet. */
    static final Object NOT_YET = new Object();

    /** The longest reply, in bytes. The longest that is asked for is a page of SCAN. */
    static final int MOST_BYTES = 64 * 1024 * 1024;

    /** The most values in one reply. */
    static final int MOST_VALUES = 1_000_000;

    /** How deep arrays may be nested. The deepest that is asked for has four levels. */
    static final int MOST_DEPTH = 16;

    /** The longest line: an error, or a simple string. */
    static final int MOST_LINE = 64 * 1024;

    private static final int USUAL = 8 * 1024;

    private byte[] bytes = new byte[USUAL];
    private int start;
    private int end;

    /** How far the reply that begins at the start was looked at; and how far for the end of the line that begins there. */
    private int seen;

    private int looked;

    /** How many values are missing at each level of it. */
    private final int[] missing = new int[MOST_DEPTH + 1];

    private int depth;
    private int values;
    private boolean pushed;

    private boolean listens;

    ReplyReader() {
        missing[0] = 1;
    }

    /** From now on what a server pushes is taken like a reply: on a connection that has subscribed. */
    void listen() {
        listens = true;
    }

    /** Waits until something comes, and keeps it. */
    void fill(InputStream in) throws IOException {
        if (end == bytes.length) {
            makeRoom();
        }
        int count = in.read(bytes, end, bytes.length - end);
        if (count < 0) {
            throw new NoReplyException("Unexpected end of stream");
        }
        end += count;
    }

    private void makeRoom() {
        if (start == 0 && bytes.length >= MOST_BYTES) {
            throw NoReplyException.malformed("A reply of more than " + MOST_BYTES + " bytes");
        }
        byte[] to = start > 0 ? bytes : new byte[2 * bytes.length];
        System.arraycopy(bytes, start, to, 0, end - start);
        bytes = to;
        end -= start;
        seen -= start;
        looked -= start;
        start = 0;
    }

    /** Whether nothing has come that was not taken. */
    boolean isEmpty() {
        return start == end;
    }

    /**
     * The next reply: {@code Long}, {@code byte[]}, a list of these, null, or, not thrown, the {@link ErrorReplyException} that an
     * error is; {@link #NOT_YET} if it is not whole yet. Replies of version 3 look as they would in version 2: a map is a
     * list of keys and values, a truth value is 1 or 0, a number with a fraction and one that is too big are their text; attributes are left out.
     */
    @Nullable
    Object next() {
        while (isWhole()) {
            Object reply = take();
            if (!pushed || listens) {
                return reply;
            }
        }
        return NOT_YET;
    }

    private @Nullable Object take() {
        int after = seen;
        seen = start;
        Object reply = value();
        start = after;
        seen = after;
        looked = after;
        depth = 0;
        missing[0] = 1;
        values = 0;
        if (start == end) {
            forget();
        }
        return reply;
    }

    private void forget() {
        start = 0;
        end = 0;
        seen = 0;
        looked = 0;
        if (bytes.length > 8 * USUAL) {
            bytes = new byte[USUAL];
        }
    }

    /** Goes on looking where it ended the last time, without a thread's stack for what is nested. */
    private boolean isWhole() {
        while (true) {
            while (missing[depth] == 0) {
                if (depth == 0) {
                    return true;
                }
                depth--;
            }
            if (seen == end) {
                return false;
            }
            byte kind = bytes[seen];
            known(kind);
            int line = endOfLine();
            if (line < 0) {
                return false;
            }
            int next = line + 2;
            int inside = 0;
            switch (kind) {
                case '$', '!', '=' -> {
                    int length = length(kind, line, MOST_BYTES);
                    if (length >= 0) {
                        if (end - next < length + 2) {
                            return false;
                        }
                        next += length + 2;
                        if (bytes[next - 2] != '\r' || bytes[next - 1] != '\n') {
                            throw NoReplyException.malformed("A string that is longer than its length");
                        }
                        if (kind == '=' && (length < 4 || bytes[line + 5] != ':')) {
                            throw NoReplyException.malformed("A text without its format");
                        }
                    }
                }
                case '*', '~', '>' -> inside = Math.max(0, length(kind, line, MOST_VALUES));
                case '%', '|' -> inside = 2 * length(kind, line, MOST_VALUES / 2);
                case ':' -> number(line);
                case '#' -> truth(line);
                case '_' -> nothing(line);
                default -> {
                    // A line of text.
                }
            }
            counted(inside);
            if (kind == '>' && depth > 0) {
                throw NoReplyException.malformed("A push inside of a reply");
            }
            if (kind != '|') {
                missing[depth]--;
                if (depth == 0) {
                    pushed = kind == '>';
                }
            }
            seen = next;
            looked = next;
            if (inside > 0) {
                if (depth == MOST_DEPTH) {
                    throw NoReplyException.malformed("A reply of more than " + MOST_DEPTH + " levels");
                }
                missing[++depth] = inside;
            }
        }
    }

    private static void known(byte kind) {
        switch (kind) {
            case ':', '$', '*', '-', '+', '_', '#', ',', '(', '!', '=', '~', '%', '>', '|' -> {
                // A reply, or a part of one.
            }
            default ->
                throw NoReplyException.malformed("Unknown reply: "
                        + (kind > ' ' && kind < 127 ? Character.toString(kind) : "byte " + (kind & 0xFF)));
        }
    }

    private void counted(int inside) {
        values += 1 + inside;
        if (values > 2 * MOST_VALUES) {
            throw NoReplyException.malformed("A reply of more than " + MOST_VALUES + " values");
        }
    }

    /** Where the carriage return with its line feed is, of the line that begins where was looked last; -1 if it is not there yet. */
    private int endOfLine() {
        int from = Math.max(seen + 1, looked);
        int line = endOfLine(from);
        looked = line < 0 ? Math.max(from, end - 1) : line;
        if ((line < 0 ? end : line) - seen > MOST_LINE) {
            throw NoReplyException.malformed("A line of more than " + MOST_LINE + " bytes");
        }
        return line;
    }

    private int endOfLine(int from) {
        for (int i = from; i < end - 1; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /** The length or count behind the sign, or -1 for nothing, which only strings and arrays can be. */
    private int length(byte kind, int line, int most) {
        long length = number(line);
        if (length > most || length < -1 || (length == -1 && kind != '$' && kind != '*')) {
            throw NoReplyException.malformed("A reply '" + (char) kind + "' with a length of " + length
                    + ", which must not be more than " + most);
        }
        return (int) length;
    }

    /** The number behind the sign at which was looked last. */
    private long number(int line) {
        return number(seen + 1, line);
    }

    private long number(int from, int to) {
        boolean negative = from < to && bytes[from] == '-';
        int first = negative || (from < to && bytes[from] == '+') ? from + 1 : from;
        if (first == to || to - first > 19) {
            throw noNumber(from, to);
        }
        // Below zero there is room for one more.
        long number = 0;
        for (int i = first; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                throw noNumber(from, to);
            }
            long longer = 10 * number - digit;
            if (i - first == 18 && (longer > 0 || number < Long.MIN_VALUE / 10)) {
                throw noNumber(from, to);
            }
            number = longer;
        }
        if (!negative && number == Long.MIN_VALUE) {
            throw noNumber(from, to);
        }
        return negative ? number : -number;
    }

    private NoReplyException noNumber(int from, int to) {
        return NoReplyException.malformed("A number that is none: '"
                + new String(bytes, from, Math.min(to - from, 32), StandardCharsets.ISO_8859_1)
                        .replaceAll("[^ -~]", "?")
                + "'");
    }

    private void truth(int line) {
        if (line != seen + 2 || (bytes[seen + 1] != 't' && bytes[seen + 1] != 'f')) {
            throw NoReplyException.malformed("A truth value that is neither t nor f");
        }
    }

    private void nothing(int line) {
        if (line != seen + 1) {
            throw NoReplyException.malformed("A null with something in it");
        }
    }

    /** Takes a value that is there, and was found to be one. */
    private @Nullable Object value() {
        while (bytes[seen] == '|') {
            int line = endOfLine(seen + 1);
            int count = 2 * (int) number(line);
            seen = line + 2;
            for (int i = 0; i < count; i++) {
                value();
            }
        }
        int begin = seen;
        int line = endOfLine(begin + 1);
        seen = line + 2;
        return switch (bytes[begin]) {
            case ':' -> number(begin + 1, line);
            case '#' -> bytes[begin + 1] == 't' ? 1L : 0L;
            case '_' -> null;
            case '-' -> error(begin + 1, line);
            case '$' -> string((int) number(begin + 1, line), 0);
            case '=' -> string((int) number(begin + 1, line), 4);
            case '!' -> {
                int from = seen;
                seen += (int) number(begin + 1, line) + 2;
                yield error(from, seen - 2);
            }
            case '*', '~', '>' -> list((int) number(begin + 1, line));
            case '%' -> list(2 * (int) number(begin + 1, line));
            default -> Arrays.copyOfRange(bytes, begin + 1, line);
        };
    }

    private byte @Nullable [] string(int length, int without) {
        if (length < 0) {
            return null;
        }
        int from = seen;
        seen += length + 2;
        return Arrays.copyOfRange(bytes, from + without, from + length);
    }

    private @Nullable List<@Nullable Object> list(int count) {
        if (count < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(value());
        }
        return list;
    }

    private ErrorReplyException error(int from, int to) {
        return ErrorReplyException.of(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }
}
