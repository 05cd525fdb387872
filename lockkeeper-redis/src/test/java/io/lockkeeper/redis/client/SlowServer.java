package io.lockkeeper.redis.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A server that sends its reply one byte at a time and never ends it. */
final class SlowServer implements AutoCloseable {

    private final ServerSocket socket;

    private SlowServer(ServerSocket socket) {
        this.socket = socket;
    }

    static SlowServer start(Duration pause) {
        try {
            ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(() -> trickle(socket, pause), "trickle");
            thread.setDaemon(true);
            thread.start();
            return new SlowServer(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void trickle(ServerSocket socket, Duration pause) {
        try (Socket client = socket.accept()) {
            client.getOutputStream().write('$');
            while (true) {
                client.getOutputStream().write('1');
                LockSupport.parkNanos(pause.toNanos());
            }
        } catch (IOException over) {
            // The client went, or the test is over.
        }
    }

    int port() {
        return socket.getLocalPort();
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
