package io.lockkeeper.testkit.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server that knows the protocol and nothing else: words there, replies back. Replies are {@code String},
 * {@code Long}, {@code List} of these, or null; an error is a {@link RedisError}. For one thread.
 */
public final class RedisWire implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket = new Socket();
    private final InputStream in;

    /** Connects to a port of the loopback address. */
    public RedisWire(int port) {
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            close();
            throw new UncheckedIOException("No server can be reached on port " + port, e);
        }
    }

    /** Sends a command and reads its reply. */
    public @Nullable Object command(String... words) {
        send(words);
        Object reply = read();
        if (reply instanceof RedisError error) {
            throw error;
        }
        return reply;
    }

    /** Sends a command and does not read its reply. */
    public void send(String... words) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(bytes);
            out.writeBytes(new byte[] {'\r', '\n'});
        }
        try {
            out.writeTo(socket.getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next reply, which may be a {@link RedisError}; also what a subscription tells. */
    public @Nullable Object read() {
        try {
            String line = line();
            String rest = line.substring(1);
            return switch (line.charAt(0)) {
                case '+' -> rest;
                case '-' -> new RedisError(rest);
                case ':' -> Long.valueOf(rest);
                case '$' -> bulk(Integer.parseInt(rest));
                case '*' -> array(Integer.parseInt(rest));
                default -> throw new IOException("This is not the protocol of Redis: " + line);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        line();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> array(int length) {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> items = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            items.add(read());
        }
        return items;
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("The server closed the connection");
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
