package io.lockkeeper.benchmarks.site;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Reads along what {@code MONITOR} tells. Lines of scripts say {@code lua} where others have the client's address. */
final class MonitorTally implements Site.Tally {

    private final Socket socket;
    private final AtomicLong count = new AtomicLong();

    MonitorTally(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String answer = in.readLine();
            if (!"+OK".equals(answer)) {
                throw new IllegalStateException("MONITOR was answered with " + answer);
            }
            var reader = new Thread(() -> read(in), "monitor");
            reader.setDaemon(true);
            reader.start();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot watch the server", e);
        }
    }

    private void read(BufferedReader in) {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int end = line.indexOf(']');
                if (end > 0 && !line.startsWith("lua", end - 3)) {
                    count.incrementAndGet();
                }
            }
        } catch (IOException closed) {
            // That is how it ends.
        }
    }

    @Override
    public long count() {
        return count.get();
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
