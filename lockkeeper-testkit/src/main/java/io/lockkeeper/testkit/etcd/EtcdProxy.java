package io.lockkeeper.testkit.etcd;

import io.lockkeeper.testkit.Ports;
import io.lockkeeper.testkit.ProcessReaper;
import io.lockkeeper.testkit.ProcessSignals;
import io.lockkeeper.testkit.TestTimeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.stream.Stream;

/** A proxy of etcd's own in front of a server, in a process of its own. */
public final class EtcdProxy implements AutoCloseable {

    private final int port;
    private final Process process;

    private EtcdProxy(List<String> words, String server) {
        port = Ports.free();
        String here = "127.0.0.1:" + port;
        List<String> command = Stream.of(
                        List.of(EtcdPrograms.server().toString()),
                        words,
                        List.of("start", "--endpoints=" + server, "--listen-addr=" + here))
                .flatMap(List::stream)
                .toList();
        try {
            process = ProcessReaper.watch(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command, e);
        }
        TestTimeouts.until("the proxy accepts connections", () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("The proxy ended while starting: " + command);
            }
            return isOpen();
        });
    }

    /** {@code etcd grpc-proxy}, which speaks to clients and server by gRPC and unites what it can. */
    public static EtcdProxy grpc(EtcdServer server) {
        return new EtcdProxy(List.of("grpc-proxy"), server.address());
    }

    /** {@code etcd gateway}, which passes bytes on. */
    public static EtcdProxy gateway(EtcdServer server) {
        return new EtcdProxy(List.of("gateway"), server.address());
    }

    private boolean isOpen() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** As clients name it: host and port. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        ProcessSignals.kill(process);
    }
}
