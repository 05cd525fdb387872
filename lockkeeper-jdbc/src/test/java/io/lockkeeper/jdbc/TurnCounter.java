package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.sql.SqlDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts round trips on the wire: how often a client begins to send after the server had the last turn. */
final class TurnCounter implements AutoCloseable {

    private final ServerSocket door;
    private final int target;
    private final AtomicInteger turns = new AtomicInteger();

    private TurnCounter(ServerSocket door, int target) {
        this.door = door;
        this.target = target;
    }

    static TurnCounter to(int port) {
        try {
            TurnCounter counter = new TurnCounter(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()), port);
            daemon(counter::accept);
            return counter;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The database as it is reached through here. */
    SqlDatabase through(SqlDatabase database) {
        return new SqlDatabase(
                database.url().replace(":" + target + "/", ":" + door.getLocalPort() + "/"),
                database.user(),
                database.password());
    }

    /** Round trips since the last call. */
    int turns() {
        return turns.getAndSet(0);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                AtomicBoolean asking = new AtomicBoolean();
                daemon(() -> pump(client, server, () -> {
                    if (asking.compareAndSet(false, true)) {
                        turns.incrementAndGet();
                    }
                }));
                daemon(() -> pump(server, client, () -> asking.set(false)));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void pump(Socket from, Socket to, Runnable each) {
        byte[] buffer = new byte[16_384];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
                each.run();
                out.write(buffer, 0, n);
            }
        } catch (IOException ended) {
            // The other end is closed too.
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "turn counter");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
