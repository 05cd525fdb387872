package io.lockkeeper.etcd.client;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A socket on which reads and writes end at a deadline.
 *
 * <p>The timeout of a socket is for one read: a server that sends a byte now and then would occupy its client forever. Here each read
 * gets what is left of the request's time. A write has no timeout at all, so one that may not fit into the system's buffer is watched,
 * and the socket is closed at the deadline.
 */
final class TimedSocket extends Socket {

    /** What surely fits into the send buffer of a connection on which nothing is unanswered. */
    private static final int FITS = 64 * 1024;

    /** Seconds of silence before the first probe, seconds between probes, and how many are sent. Named, so that no module is needed. */
    private static final Map<String, Integer> PROBES =
            Map.of("TCP_KEEPIDLE", 20, "TCP_KEEPINTERVAL", 5, "TCP_KEEPCOUNT", 4);

    // Read and written by the one thread that has the connection.
    private @Nullable Deadline deadline;
    private int unanswered;

    TimedSocket() {
        try {
            setTcpNoDelay(true);
            setKeepAlive(true);
            probe();
            setSendBufferSize(4 * FITS);
            // Closing drops what was not sent yet.
            setSoLinger(true, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A watch waits for long without a deadline. The system's default finds out after two hours that its server is gone without a
     * word; these options, where the system has them, after less than a minute.
     */
    private void probe() throws IOException {
        for (SocketOption<?> option : supportedOptions()) {
            Integer value = PROBES.get(option.name());
            if (value != null) {
                @SuppressWarnings("unchecked")
                SocketOption<Integer> number = (SocketOption<Integer>) option;
                setOption(number, value);
            }
        }
    }

    /** From now on everything ends at this moment; null for no end. */
    void until(@Nullable Deadline moment) {
        this.deadline = moment;
    }

    private int timeLeft() throws SocketTimeoutException {
        Deadline until = deadline;
        if (until == null) {
            return 0;
        }
        int left = until.millis();
        if (left == 0) {
            throw new SocketTimeoutException("The time is up");
        }
        return left;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                setSoTimeout(timeLeft());
                int count = in.read(bytes, offset, length);
                unanswered = 0;
                return count;
            }

            @Override
            public int read() throws IOException {
                setSoTimeout(timeLeft());
                return in.read();
            }
        };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return new FilterOutputStream(super.getOutputStream()) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                unanswered += length;
                if (unanswered <= FITS) {
                    out.write(bytes, offset, length);
                } else {
                    writeWatched(out, bytes, offset, length);
                }
            }
        };
    }

    private void writeWatched(OutputStream out, byte[] bytes, int offset, int length) throws IOException {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        int left = timeLeft();
        if (left > 0) {
            written.completeOnTimeout(false, left, TimeUnit.MILLISECONDS).thenAccept(inTime -> {
                if (!inTime) {
                    closeQuietly();
                }
            });
        }
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            if (!written.complete(true)) {
                throw new SocketTimeoutException("The time is up");
            }
            throw e;
        }
        written.complete(true);
    }

    void closeQuietly() {
        try {
            close();
        } catch (IOException ignored) {
            // It is of no use any more either way.
        }
    }
}
