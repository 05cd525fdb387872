package io.lockkeeper.testkit;

import io.lockkeeper.testkit.FaultProxy.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** One client's connection through a {@link FaultProxy}: two sockets and a thread for each direction. */
final class ProxiedConnection {

    private static final int CHUNK = 64 * 1024;
    private static final int END = -1;
    private static final int BROKEN = -2;

    private final Socket client;
    private final Socket server;
    private final Consumer<ProxiedConnection> onEnd;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    ProxiedConnection(Socket client, Socket server, Consumer<ProxiedConnection> onEnd) throws IOException {
        this.client = client;
        this.server = server;
        this.onEnd = onEnd;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start(RuleBoard toServer, RuleBoard toClient) {
        Daemon.start("proxy to server", () -> pump(client, server, toServer));
        Daemon.start("proxy to client", () -> pump(server, client, toClient));
    }

    /** The port at the client's end. */
    int clientPort() {
        return client.getPort();
    }

    /** Ends it on both sides: FIN, as far as nothing is left unread. */
    void close() {
        end(client);
        end(server);
        threads.forEach(Thread::interrupt);
        onEnd.accept(this);
    }

    /** Breaks it off on both sides: RST. */
    void reset() {
        for (Socket socket : List.of(client, server)) {
            try {
                socket.setSoLinger(true, 0);
            } catch (IOException closedAlready) {
                // Then there is nothing to break off.
            }
        }
        close();
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pump(Socket from, Socket to, RuleBoard board) {
        threads.add(Thread.currentThread());
        try {
            var delivery = new Delivery(board, to);
            byte[] chunk = new byte[CHUNK];
            for (int n = read(from, chunk); n != BROKEN; n = read(from, chunk)) {
                if (n == END) {
                    delivery.awaitOpen();
                    to.shutdownOutput();
                    break;
                }
                if (!delivery.deliver(chunk, n)) {
                    reset();
                    return;
                }
            }
            if (client.isOutputShutdown() && server.isOutputShutdown()) {
                close();
            } else if (!to.isOutputShutdown() && !from.isClosed()) {
                delivery.awaitOpen();
                reset();
            }
        } catch (IOException broken) {
            reset();
        } catch (InterruptedException closed) {
            // By close(), which ends the other direction too.
        }
    }

    private static int read(Socket from, byte[] chunk) {
        try {
            return from.getInputStream().read(chunk);
        } catch (IOException e) {
            return BROKEN;
        }
    }

    /** One direction: obeys the rule that stands when the bytes are to be delivered. For one thread. */
    private static final class Delivery {

        private final RuleBoard board;
        private final Socket to;
        private RuleBoard.Posted counted;
        private long passed;

        Delivery(RuleBoard board, Socket to) {
            this.board = board;
            this.to = to;
            this.counted = board.current();
        }

        /** Returns false if the connection is to be broken off. */
        boolean deliver(byte[] chunk, int n) throws IOException, InterruptedException {
            long arrived = System.nanoTime();
            boolean held = false;
            while (true) {
                RuleBoard.Posted posted = current();
                if (posted.rule instanceof Rule.Delay delay) {
                    long left = delay.delay().toNanos() - (System.nanoTime() - arrived);
                    if (left <= 0) {
                        to.getOutputStream().write(chunk, 0, n);
                        return true;
                    }
                    board.awaitOther(posted, left);
                } else if (posted.rule instanceof Rule.SingleHold) {
                    if (!held) {
                        board.withhold(n);
                        held = true;
                    }
                    board.awaitOther(posted);
                } else if (posted.rule instanceof Rule.HoldFirst first) {
                    if (!first.meets(chunk, n)) {
                        to.getOutputStream().write(chunk, 0, n);
                        return true;
                    }
                    board.withhold(held ? 0 : n);
                    held = true;
                    board.awaitOther(posted);
                } else if (posted.rule instanceof Rule.Swallow) {
                    board.withhold(held ? 0 : n);
                    return true;
                } else if (posted.rule instanceof Rule.Cut cut) {
                    return cut(chunk, n, cut.bytes(), held);
                }
            }
        }

        private boolean cut(byte[] chunk, int n, long limit, boolean held) throws IOException {
            int allowed = (int) Math.min(n, limit - passed);
            to.getOutputStream().write(chunk, 0, allowed);
            passed += allowed;
            board.withhold(held ? 0 : n - allowed);
            return allowed == n;
        }

        /** Waits until the end of the stream may be seen on the other side: it passes like bytes do. */
        void awaitOpen() throws InterruptedException {
            RuleBoard.Posted posted = current();
            while (posted.rule instanceof Rule.SingleHold || posted.rule instanceof Rule.Swallow) {
                board.awaitOther(posted);
                posted = current();
            }
        }

        private RuleBoard.Posted current() {
            RuleBoard.Posted posted = board.current();
            if (posted != counted) {
                counted = posted;
                passed = 0;
            }
            return posted;
        }
    }
}
