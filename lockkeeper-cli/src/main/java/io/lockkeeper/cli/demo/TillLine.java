package io.lockkeeper.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;

/** A seller's line to the till, for one thread. */
final class TillLine implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader answers;

    TillLine(int port, String secret) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        socket.getOutputStream().write((secret + "\n").getBytes(UTF_8));
    }

    int look(int part) {
        return Integer.parseInt(ask("look " + part));
    }

    /** @return "sold", "refused a b" with both tokens, or "sent" if it was held up on its way */
    String sell(Sale sale) {
        return ask(sale.line());
    }

    boolean setIfAbsent(String key, Duration expiry) {
        return ask("setnx " + key + " " + expiry.toMillis()).equals("1");
    }

    void delete(String key) {
        ask("del " + key);
    }

    private String ask(String request) {
        try {
            socket.getOutputStream().write((request + "\n").getBytes(UTF_8));
            String answer = answers.readLine();
            if (answer == null) {
                throw new IOException("The till has closed");
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
