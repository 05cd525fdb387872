package io.lockkeeper.cli.leased;

import io.lockkeeper.memory.LeasedStore;
import io.lockkeeper.memory.TokenPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** A store with leases that other processes can reach, in the process of the test. Exclusive claims only. */
public final class LeasedServer implements AutoCloseable {

    private final ServerSocket server;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final ReentrantLock turn = new ReentrantLock();
    private final LeasedStore store = new LeasedStore("test", TokenPolicy.COUNTER);

    public LeasedServer() throws IOException {
        server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        daemon(this::welcome);
    }

    public String url() {
        return "leased://localhost:" + server.getLocalPort();
    }

    private void welcome() {
        try {
            while (true) {
                Socket client = server.accept();
                clients.add(client);
                daemon(() -> serve(client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                client.getOutputStream().write((answer(line.split(" ")) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // The client is gone, or the store.
        }
    }

    private String answer(String[] words) {
        turn.lock();
        try {
            long now = System.nanoTime();
            String answer = switch (words[0]) {
                case "attempt" -> Wire.write(store.attempt(words[1], Wire.claim(words), now));
                case "release" ->
                    store.release(words[1], Wire.release(words), now).name();
                default ->
                    Wire.write(store.renew(List.of(Wire.claim(words)), now).get(0));
            };
            store.drainSignals();
            return answer;
        } finally {
            turn.unlock();
        }
    }

    /** It answers nobody any more. */
    @Override
    public void close() throws IOException {
        server.close();
        for (Socket client : clients) {
            client.close();
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "leased store");
        thread.setDaemon(true);
        thread.start();
    }
}
