package io.lockkeeper.redis.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Commands that were not sent yet, as bytes, so that several are sent in one piece. */
final class CommandBuffer {

    private static final int USUAL = 8 * 1024;
    private static final byte[] EVALSHA = "EVALSHA".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EVAL = "EVAL".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[USUAL];
    private int size;

    int size() {
        return size;
    }

    void add(Command command) {
        List<byte[]> parts = command.parts();
        header('*', parts.size());
        for (int i = 0; i < parts.size(); i++) {
            part(parts.get(i));
        }
    }

    /**
     * Adds a script.
     *
     * @param whole whether with its text, or else by its digest
     */
    void add(Redis.Call call, boolean whole) {
        begin(call, whole);
        for (int i = 0; i < call.keys().size(); i++) {
            part(call.keys().get(i));
        }
        for (int i = 0; i < call.arguments().size(); i++) {
            part(call.arguments().get(i));
        }
    }

    /** The same for a long one, of which not more than about this many bytes are kept back at a time. */
    void add(Redis.Call call, boolean whole, int most, OutputStream out) throws IOException {
        begin(call, whole);
        add(call.keys(), most, out);
        add(call.arguments(), most, out);
    }

    private void add(List<byte[]> parts, int most, OutputStream out) throws IOException {
        for (int i = 0; i < parts.size(); i++) {
            part(parts.get(i));
            if (size > most) {
                flush(out);
            }
        }
    }

    private void begin(Redis.Call call, boolean whole) {
        int keys = call.keys().size();
        header('*', 3 + keys + call.arguments().size());
        part(whole ? EVAL : EVALSHA);
        part(whole ? call.script().text() : call.script().digest());
        header('$', digits(keys));
        number(keys);
        end();
    }

    /** Sends it all. */
    void flush(OutputStream out) throws IOException {
        int length = size;
        size = 0;
        byte[] sent = bytes;
        if (sent.length > 8 * USUAL) {
            bytes = new byte[USUAL];
        }
        out.write(sent, 0, length);
    }

    private void part(byte[] part) {
        header('$', part.length);
        room(part.length + 2);
        System.arraycopy(part, 0, bytes, size, part.length);
        size += part.length;
        end();
    }

    private void header(char kind, int count) {
        room(16);
        bytes[size++] = (byte) kind;
        number(count);
        end();
    }

    private void number(int number) {
        room(16);
        int from = size + digits(number);
        size = from;
        int rest = number;
        do {
            bytes[--from] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
    }

    private static int digits(int number) {
        int digits = 1;
        for (int rest = number; rest > 9; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private void end() {
        room(2);
        bytes[size++] = '\r';
        bytes[size++] = '\n';
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
