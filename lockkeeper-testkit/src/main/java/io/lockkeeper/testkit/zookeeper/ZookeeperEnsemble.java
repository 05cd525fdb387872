package io.lockkeeper.testkit.zookeeper;

import io.lockkeeper.testkit.Ports;
import io.lockkeeper.testkit.TestTimeouts;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three ZooKeeper servers that agree with each other, each in a JVM of its own. */
public final class ZookeeperEnsemble implements AutoCloseable {

    private static final int SIZE = 3;

    private final List<ZookeeperServer> servers;

    private ZookeeperEnsemble(List<ZookeeperServer> servers) {
        this.servers = servers;
    }

    /** Starts three servers, and returns when all of them serve clients. */
    public static ZookeeperEnsemble start() {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        List<Integer> ports = IntStream.range(0, 3 * SIZE)
                .map(i -> Ports.free())
                .distinct()
                .boxed()
                .toList();
        if (ports.size() < 3 * SIZE) {
            return start();
        }
        List<String> peers = IntStream.range(0, SIZE)
                .mapToObj(i ->
                        "server." + (i + 1) + "=" + host + ":" + ports.get(SIZE + i) + ":" + ports.get(2 * SIZE + i))
                .toList();
        List<ZookeeperServer> servers = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            List<String> lines = new ArrayList<>(peers);
            lines.add("initLimit=50");
            lines.add("syncLimit=10");
            lines.add("#id " + (i + 1));
            servers.add(ZookeeperServer.prepared(ports.get(i), lines));
        }
        ZookeeperEnsemble ensemble = new ZookeeperEnsemble(List.copyOf(servers));
        ensemble.awaitAll();
        return ensemble;
    }

    /** Returns when all servers serve clients. */
    public void awaitAll() {
        TestTimeouts.until(
                "all servers of the ensemble serve", () -> servers.stream().allMatch(ZookeeperServer::answers));
    }

    public List<ZookeeperServer> servers() {
        return servers;
    }

    /** The server that leads now. */
    public ZookeeperServer leader() {
        List<ZookeeperServer> found = new ArrayList<>();
        TestTimeouts.until("the ensemble has a leader", () -> {
            found.clear();
            servers.stream().filter(ZookeeperServer::leads).forEach(found::add);
            return found.size() == 1;
        });
        return found.get(0);
    }

    /** As clients name all of it. */
    public String addresses() {
        return servers.stream().map(ZookeeperServer::address).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        servers.forEach(ZookeeperServer::close);
    }
}
