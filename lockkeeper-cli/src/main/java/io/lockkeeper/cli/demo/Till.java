package io.lockkeeper.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where the stock is: a server that sellers read it from and write it to, one short request at a time, as they would with
 * a database. It does what it is told: a write with an old number in it is as good as any other, unless it comes fenced.
 */
final class Till implements AutoCloseable {

    /** The token and hold of the last write that was let through. */
    private record Writer(long token, String holdId) {}

    private final ServerSocket server;
    private final String secret = UUID.randomUUID().toString();
    private final ReentrantLock turn = new ReentrantLock();
    private final Map<String, Long> blogKeys = new HashMap<>();

    private int[] stock = {};
    private Writer[] last = {};
    private int sold;
    /** What the network keeps for a while. */
    private @Nullable Sale onItsWay;

    Till() throws IOException {
        server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        daemon(this::welcome, "till");
    }

    int port() {
        return server.getLocalPort();
    }

    /** What a client says first, so that nobody else on this machine can join in. */
    String secret() {
        return secret;
    }

    /** Puts the stock on the shelves and forgets what was sold. */
    void open(int... parts) {
        turn.lock();
        try {
            stock = parts.clone();
            last = new Writer[parts.length];
            Arrays.fill(last, new Writer(0, ""));
            sold = 0;
            blogKeys.clear();
            onItsWay = null;
        } finally {
            turn.unlock();
        }
    }

    int sold() {
        turn.lock();
        try {
            return sold;
        } finally {
            turn.unlock();
        }
    }

    private void welcome() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                daemon(() -> serve(client), "till client");
            } catch (IOException e) {
                return; // Closed.
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
                OutputStream out = client.getOutputStream()) {
            client.setTcpNoDelay(true);
            if (!secret.equals(in.readLine())) {
                return;
            }
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write((answer(line.split(" ")) + "\n").getBytes(UTF_8));
                out.flush();
            }
        } catch (IOException e) {
            // The client is gone, perhaps killed: that is what the demonstration is about.
        }
    }

    private String answer(String[] request) {
        turn.lock();
        try {
            return switch (request[0]) {
                case "look" -> Integer.toString(stock[Integer.parseInt(request[1])]);
                case "sell" -> sell(Sale.parse(request));
                case "setnx" -> setIfAbsent(request[1], Duration.ofMillis(Long.parseLong(request[2])));
                case "del" -> blogKeys.remove(request[1]) == null ? "0" : "1";
                default -> throw new IllegalArgumentException("The till does not know '" + request[0] + "'");
            };
        } finally {
            turn.unlock();
        }
    }

    private String sell(Sale sale) {
        if (!sale.heldUp()) {
            return write(sale);
        }
        onItsWay = sale;
        return "sent";
    }

    /** Lets the write arrive that was held up; its sender may be dead by now. Returns the answer that nobody waits for. */
    String arrive() {
        turn.lock();
        try {
            if (onItsWay == null) {
                throw new IllegalStateException("No write is on its way");
            }
            return write(onItsWay);
        } finally {
            turn.unlock();
        }
    }

    /**
     * The check and the write are one step. The rule of every guard: a greater token than the last, or the same token of
     * the same hold.
     */
    private String write(Sale sale) {
        Writer before = last[sale.part()];
        Writer now = new Writer(sale.token(), sale.holdId());
        if (sale.fenced() && now.token() <= before.token() && !now.equals(before)) {
            return "refused " + now.token() + " " + before.token();
        }
        last[sale.part()] = now;
        stock[sale.part()] = sale.left();
        sold++;
        return "sold";
    }

    private String setIfAbsent(String key, Duration expiry) {
        long now = System.nanoTime();
        Long end = blogKeys.get(key);
        if (end != null && end - now > 0) {
            return "0";
        }
        blogKeys.put(key, now + expiry.toNanos());
        return "1";
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // It ends with the process.
        }
    }

    private static void daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
