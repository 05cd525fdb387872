package io.lockkeeper.redis.client;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A socket on which reads and writes end at a deadline.
 *
 * <p>The timeout of a socket is for one read: a server that sends a byte now and then would occupy its client forever. Here
 * each read gets what is left of the request's time. A write has no timeout at all, and one that does not fit into the
 * system's buffer waits for a server that may have stopped reading; so a write that may not fit is watched, and the socket is
 * closed at the deadline. Small ones are not watched, since the buffer is empty when a request begins.
 */
final class TimedSocket extends Socket {

    /** What surely fits into the send buffer of a connection on which nothing is unanswered. */
    private static final int FITS = 64 * 1024;

    private static final int SEND_BUFFER = 4 * FITS;

    // Read and written by the one thread that has the connection.
    private @Nullable Deadline deadline;
    private int unanswered;
    private long taken;

    TimedSocket() {
        try {
            setTcpNoDelay(true);
            setKeepAlive(true);
            setSendBufferSize(SEND_BUFFER);
            // Closing drops what was not sent yet. What has reached the server's machine may be executed all the same,
            // however
            // late: Linux hands out what it has received before it tells of the reset.
            setSoLinger(true, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on everything ends at this moment. */
    void until(Deadline deadline) {
        this.deadline = deadline;
    }

    /** How many bytes were ever read. */
    long taken() {
        return taken;
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
                taken += Math.max(0, count);
                return count;
            }

            @Override
            public int read() throws IOException {
                setSoTimeout(timeLeft());
                int read = in.read();
                taken += read < 0 ? 0 : 1;
                return read;
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
            if (PlatformThreads.isNeeded()) {
                PlatformThreads.run(() -> {
                    out.write(bytes, offset, length);
                    return true;
                });
            } else {
                out.write(bytes, offset, length);
            }
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
