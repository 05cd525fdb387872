package io.lockkeeper.etcd.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Reads replies of HTTP/1.1.
 *
 * <p><b>Invariant.</b> Whatever a server sends, a reply takes a bounded amount of memory, and what is read of a reply is exactly that
 * reply: a byte left behind would be taken for the beginning of the next one, by a caller that asked something else. A reply whose end
 * is not certain (no length, two lengths, a length beside chunks) is an error, and its connection is closed.
 */
final class HttpReader {

    /** The longest line of a head. */
    static final int LONGEST_LINE = 8 * 1024;
    /** The most lines of a head, and of what follows the last chunk. */
    static final int MOST_LINES = 100;
    /** The largest body. A lease with 300,000 keys fits. */
    static final int LARGEST_BODY = 64 * 1024 * 1024;

    private static final int CHUNKED = -1;
    private static final int UNKNOWN = -2;

    private final InputStream in;
    private final byte[] buffer = new byte[16 * 1024];
    private int position;
    private int end;

    private int status;
    private int length;
    private boolean closing;
    private int leftInChunk;
    private boolean ended;

    HttpReader(InputStream in) {
        this.in = in;
    }

    /** Whether nothing has come that was not read. */
    boolean isEmpty() {
        return position == end;
    }

    int status() {
        return status;
    }

    /** Whether the server closes the connection after this reply. */
    boolean isClosing() {
        return closing;
    }

    /** Reads the status and the headers of a reply. */
    void readHead() throws IOException {
        String first = line();
        if (!first.startsWith("HTTP/1.1 ") && !first.startsWith("HTTP/1.0 ")) {
            throw new NotHttpException("The reply does not begin as one of HTTP/1.1");
        }
        status = number(first.length() < 12 ? "" : first.substring(9, 12), 10, 999);
        closing = first.startsWith("HTTP/1.0");
        length = UNKNOWN;
        leftInChunk = 0;
        ended = false;
        for (int lines = 0; ; lines++) {
            String line = line();
            if (line.isEmpty()) {
                break;
            }
            if (lines == MOST_LINES) {
                throw new NotHttpException("The reply has too many headers");
            }
            header(line);
        }
        if (length == UNKNOWN) {
            throw new NotHttpException("The reply does not say where it ends");
        }
    }

    private void header(String line) throws IOException {
        int colon = line.indexOf(':');
        if (colon < 1) {
            throw new NotHttpException("The reply has a header without a name");
        }
        String value = line.substring(colon + 1).strip();
        switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "content-length" -> lengthIs(number(value, 10, LARGEST_BODY));
            case "transfer-encoding" -> {
                if (!value.equalsIgnoreCase("chunked")) {
                    throw new NotHttpException("The reply is encoded in a way that was not asked for");
                }
                lengthIs(CHUNKED);
            }
            case "connection" -> closing |= value.equalsIgnoreCase("close");
            default -> {}
        }
    }

    private void lengthIs(int said) throws IOException {
        if (length != UNKNOWN) {
            throw new NotHttpException("The reply says twice where it ends");
        }
        length = said;
    }

    /** Reads the whole body. */
    byte[] readBody() throws IOException {
        if (length >= 0) {
            byte[] body = new byte[Math.min(length, buffer.length)];
            int read = 0;
            while (read < length) {
                if (read == body.length) {
                    // It grows with what has really come, not with what the server says.
                    body = Arrays.copyOf(body, (int) Math.min(length, 2L * body.length));
                }
                read += take(body, read, body.length - read);
            }
            return body;
        }
        byte[] body = new byte[1024];
        int read = 0;
        while (true) {
            if (read == body.length) {
                body = Arrays.copyOf(body, 2 * body.length);
            }
            int count = readSome(body, read, body.length - read);
            if (count < 0) {
                return Arrays.copyOf(body, read);
            }
            read += count;
            if (read > LARGEST_BODY) {
                throw new NotHttpException("The reply is longer than " + LARGEST_BODY + " bytes");
            }
        }
    }

    /** Reads a part of a body that comes in chunks; −1 at its end. */
    int readSome(byte[] into, int offset, int most) throws IOException {
        if (length != CHUNKED) {
            throw new NotHttpException("The reply does not come in chunks");
        }
        if (ended) {
            return -1;
        }
        if (leftInChunk == 0) {
            String line = line();
            int semicolon = line.indexOf(';');
            leftInChunk = number((semicolon < 0 ? line : line.substring(0, semicolon)).strip(), 16, LARGEST_BODY);
            if (leftInChunk == 0) {
                readTrailers();
                ended = true;
                return -1;
            }
        }
        int count = take(into, offset, Math.min(most, leftInChunk));
        leftInChunk -= count;
        if (leftInChunk == 0 && !line().isEmpty()) {
            throw new NotHttpException("A chunk of the reply is longer than it says");
        }
        return count;
    }

    private void readTrailers() throws IOException {
        for (int lines = 0; !line().isEmpty(); lines++) {
            if (lines == MOST_LINES) {
                throw new NotHttpException("The reply has too many trailers");
            }
        }
    }

    private int take(byte[] into, int offset, int most) throws IOException {
        if (position == end) {
            fill();
        }
        int count = Math.min(most, end - position);
        System.arraycopy(buffer, position, into, offset, count);
        position += count;
        return count;
    }

    private String line() throws IOException {
        byte[] line = new byte[128];
        int size = 0;
        while (true) {
            if (position == end) {
                fill();
            }
            byte next = buffer[position++];
            if (next == '\n') {
                int without = size > 0 && line[size - 1] == '\r' ? size - 1 : size;
                return new String(line, 0, without, StandardCharsets.ISO_8859_1);
            }
            if (size == LONGEST_LINE) {
                throw new NotHttpException("The reply has a line of more than " + LONGEST_LINE + " bytes");
            }
            if (size == line.length) {
                line = Arrays.copyOf(line, 2 * size);
            }
            line[size++] = next;
        }
    }

    private void fill() throws IOException {
        int count = in.read(buffer, 0, buffer.length);
        if (count <= 0) {
            throw new EOFException("The server closed the connection");
        }
        position = 0;
        end = count;
    }

    private static int number(String digits, int radix, int largest) throws NotHttpException {
        if (digits.isEmpty() || digits.length() > 10) {
            throw new NotHttpException("The reply has a length that is none");
        }
        long number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) > 'z' ? -1 : Character.digit(digits.charAt(i), radix);
            if (digit < 0) {
                throw new NotHttpException("The reply has a length that is none");
            }
            number = number * radix + digit;
        }
        if (number > largest) {
            throw new NotHttpException("The reply has a part of " + number + " bytes, more than " + largest);
        }
        return (int) number;
    }
}
