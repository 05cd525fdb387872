package io.lockkeeper.faults.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.ExclusiveHold;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.OptionalLong;

/** A line to the registers, for one thread. */
public final class RegisterLine implements AutoCloseable {

    /** When F last saw a new hold, and whose. */
    public record Touch(long at, String client) {}

    private final Socket socket;
    private final BufferedReader answers;

    public RegisterLine(int port, String client) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        send(client);
    }

    public Touch touched(String name) {
        String[] words = ask("touched " + name).split(" ");
        return new Touch(Long.parseLong(words[0]), words[1]);
    }

    /** The value of U. */
    long look(String name) {
        return Long.parseLong(ask("look " + name));
    }

    /** Adds one to the value of U that was seen before. */
    void put(ExclusiveHold hold, long base) {
        ask("put " + pair(hold) + " " + base);
    }

    /** The value of F, if it admits this hold. */
    OptionalLong read(ExclusiveHold hold) {
        return value(ask("read " + pair(hold)));
    }

    /** Adds one to the value of F that was seen before, if it admits this hold. */
    OptionalLong write(ExclusiveHold hold, long base) {
        return value(ask("write " + pair(hold) + " " + base));
    }

    private static String pair(ExclusiveHold hold) {
        return hold.name() + " " + hold.token() + " " + hold.id();
    }

    private static OptionalLong value(String answer) {
        return answer.equals("refused") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(answer));
    }

    private String ask(String request) {
        try {
            send(request);
            String answer = answers.readLine();
            if (answer == null) {
                throw new IOException("The registers have closed");
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(UTF_8));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing to save.
        }
    }
}
