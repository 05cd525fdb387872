package io.lockkeeper.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A bad network between clients and a server: a TCP proxy on a port of the loopback address that does to the bytes of each
 * direction what its current {@link Rule} says. All connections follow the same rules, new ones too.
 *
 * <p>A rule binds whatever passes the proxy after the call that set it has returned, and what it had kept back until then.
 * So a reply can be taken away from a command that the server surely executed: rule the way to the client only.
 */
public final class FaultProxy implements AutoCloseable {

    private static final int TRIES = 20;

    private final int port;
    private final int target;
    private final RuleBoard toServer = new RuleBoard();
    private final RuleBoard toClient = new RuleBoard();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile IntPredicate admitted = port -> true;
    private @Nullable ServerSocket door;
    private @Nullable Thread porter;
    private volatile boolean closed;

    private FaultProxy(int port, int target) {
        this.port = port;
        this.target = target;
    }

    /** A proxy to a server on a port of the loopback address. Everything passes. */
    public static FaultProxy to(int target) {
        for (int i = 0; i < TRIES; i++) {
            var proxy = new FaultProxy(Ports.free(), target);
            if (proxy.open()) {
                return proxy;
            }
        }
        throw new IllegalStateException("No free port was found in " + TRIES + " attempts");
    }

    /** Where clients connect to. */
    public int port() {
        return port;
    }

    /** What becomes of the bytes that clients send. */
    public FaultProxy toServer(Rule rule) {
        toServer.set(rule);
        return this;
    }

    /** What becomes of the bytes that the server answers. */
    public FaultProxy toClient(Rule rule) {
        toClient.set(rule);
        return this;
    }

    /** What becomes of the bytes of both. */
    public FaultProxy both(Rule rule) {
        return toServer(rule).toClient(rule);
    }

    /** Everything passes again, also what was held, and connections are accepted. */
    public void heal() {
        accept();
        both(Rule.pass());
    }

    /** New connections are refused; those that stand go on. */
    public void refuse() {
        Thread last;
        lock.lock();
        try {
            if (door != null) {
                door.close();
                door = null;
            }
            last = porter;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
        if (last != null) {
            // As long as a thread waits in accept the system keeps the port open, closed or not.
            TestTimeouts.until("port " + port + " is shut", () -> !last.isAlive());
        }
    }

    /** New connections are accepted again, on the same port. */
    public void accept() {
        TestTimeouts.until("port " + port + " is free for the proxy again", this::open);
    }

    /**
     * From now on only clients whose own port passes the test get through; the connections of others are broken off (RST), those that
     * stand and those that come.
     */
    public void admit(IntPredicate clientPort) {
        admitted = clientPort;
        for (ProxiedConnection connection : List.copyOf(connections)) {
            if (!clientPort.test(connection.clientPort())) {
                connection.reset();
            }
        }
    }

    /** Ends all connections in the usual way (FIN). */
    public void closeAll() {
        List.copyOf(connections).forEach(ProxiedConnection::close);
    }

    /** Breaks all connections off (RST). */
    public void resetAll() {
        List.copyOf(connections).forEach(ProxiedConnection::reset);
    }

    /** How many connections go through it now. */
    public int connections() {
        return connections.size();
    }

    /** How many bytes of replies were kept from the clients so far, those that are held now included. */
    public long withheld() {
        return toClient.withheld();
    }

    /** How many bytes of requests were kept from the server so far, those that are held now included. */
    public long undelivered() {
        return toServer.withheld();
    }

    /** Ends all connections and accepts no more. */
    @Override
    public void close() {
        closed = true;
        refuse();
        resetAll();
    }

    private boolean open() {
        lock.lock();
        try {
            if (door == null) {
                var socket = new ServerSocket();
                try {
                    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                } catch (IOException taken) {
                    socket.close();
                    return false;
                }
                door = socket;
                porter = Daemon.start("proxy on " + port, () -> serve(socket));
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    private void serve(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                connect(socket.accept());
            } catch (IOException closed) {
                // The loop ends if it was the door; one client's trouble is its own.
            }
        }
    }

    /** In the set first, then a look at whether it may stay: closing and admitting do it the other way round. */
    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        try {
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        } catch (IOException refused) {
            client.setSoLinger(true, 0);
            client.close();
            server.close();
            return;
        }
        var connection = new ProxiedConnection(client, server, connections::remove);
        connections.add(connection);
        if (closed || !admitted.test(client.getPort())) {
            connection.reset();
            return;
        }
        connection.start(toServer, toClient);
    }

    /** What a network does to the bytes that go one way. */
    public sealed interface Rule {

        /** They pass. */
        static Rule pass() {
            return new Delay(Duration.ZERO);
        }

        /** They arrive so much later. (Of a stream without pauses: up to twice as late.) */
        static Rule delay(Duration delay) {
            return new Delay(delay);
        }

        /** They are kept until the rule changes; then they arrive, if that lets them. */
        static Rule hold() {
            return new SingleHold();
        }

        /**
         * They pass, except that the first bytes that have this text in them are kept until the rule changes, with all that
         * comes after them on their connection. The text must not be cut in two on the way, so it is a short one.
         */
        static Rule holdFirst(String text) {
            return new HoldFirst(text, new AtomicBoolean());
        }

        /** They vanish, and so does the end of the connection. What comes after the rule has changed arrives without them. */
        static Rule swallow() {
            return new Swallow();
        }

        /** This many more bytes arrive on each connection, counted from now; then it is broken off on both sides. */
        static Rule cutAfter(long bytes) {
            return new Cut(bytes);
        }

        /** The connection is broken off on both sides by the next byte, which does not arrive. */
        static Rule reset() {
            return cutAfter(0);
        }

        /** See {@link #delay}. */
        record Delay(Duration delay) implements Rule {}

        /** See {@link #hold}. */
        record SingleHold() implements Rule {}

        /** See {@link #holdFirst}. */
        record HoldFirst(String text, AtomicBoolean met) implements Rule {

            /** Whether these are the bytes to hold. */
            boolean meets(byte[] chunk, int n) {
                return new String(chunk, 0, n, StandardCharsets.ISO_8859_1).contains(text)
                        && met.compareAndSet(false, true);
            }
        }

        /** See {@link #swallow}. */
        record Swallow() implements Rule {}

        /** See {@link #cutAfter}. */
        record Cut(long bytes) implements Rule {
            public Cut {
                if (bytes < 0) {
                    throw new IllegalArgumentException("cutAfter takes 0 or more bytes, not " + bytes);
                }
            }
        }
    }
}
