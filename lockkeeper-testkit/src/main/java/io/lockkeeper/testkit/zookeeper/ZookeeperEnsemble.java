package io.lockkeeper.testkit.zookeeper;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.Ports;
import io.lockkeeper.testkit.TestTimeouts;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three ZooKeeper servers that agree with each other, each in a JVM of its own.
 *
 * <p>With {@linkplain #startWithLines lines} each server reaches each other one through a {@link FaultProxy}, by the port on which a
 * leader hears its followers. Elections have ports of their own, which are not held up.
 */
public final class ZookeeperEnsemble implements AutoCloseable {

    private static final int SIZE = 3;

    /** A server of 200 ms a tick leaves a leader, and a leader a follower, that it does not hear for 2 seconds. */
    private static final int FEW_TICKS = 10;

    /** The same after 12 seconds, so that sessions of a few seconds end before. */
    private static final int MANY_TICKS = 60;

    private final List<ZookeeperServer> servers;
    private final List<PeerLine> lines;

    /** The way from one server to another, if that one leads. */
    private record PeerLine(int from, int to, FaultProxy proxy) {}

    private ZookeeperEnsemble(List<ZookeeperServer> servers, List<PeerLine> lines) {
        this.servers = servers;
        this.lines = lines;
    }

    /** Starts three servers, and returns when all of them serve clients. */
    public static ZookeeperEnsemble start() {
        return start(false);
    }

    /** The same with servers that can be {@linkplain #cutOff cut off} from each other, and notice it late. */
    public static ZookeeperEnsemble startWithLines() {
        return start(true);
    }

    private static ZookeeperEnsemble start(boolean withLines) {
        List<Integer> ports = IntStream.range(0, 3 * SIZE)
                .map(i -> Ports.free())
                .distinct()
                .boxed()
                .toList();
        if (ports.size() < 3 * SIZE) {
            return start(withLines);
        }
        List<PeerLine> peerLines = new ArrayList<>();
        List<ZookeeperServer> servers = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            List<String> lines = new ArrayList<>();
            for (int peer = 0; peer < SIZE; peer++) {
                int port = ports.get(SIZE + peer);
                if (withLines && peer != i) {
                    PeerLine line = new PeerLine(i, peer, FaultProxy.to(port));
                    peerLines.add(line);
                    port = line.proxy.port();
                }
                lines.add("server." + (peer + 1) + "="
                        + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port + ":"
                        + ports.get(2 * SIZE + peer));
            }
            lines.add("initLimit=50");
            lines.add("syncLimit=" + (withLines ? MANY_TICKS : FEW_TICKS));
            lines.add("#id " + (i + 1));
            servers.add(ZookeeperServer.prepared(ports.get(i), lines));
        }
        ZookeeperEnsemble ensemble = new ZookeeperEnsemble(List.copyOf(servers), List.copyOf(peerLines));
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

    /** One that follows the leader now. */
    public ZookeeperServer follower() {
        ZookeeperServer leader = leader();
        return servers.stream().filter(server -> server != leader).findFirst().orElseThrow();
    }

    /**
     * Nothing arrives between that server and the others, in either direction, until {@link #healLines}. Neither notices for 12
     * seconds: a follower answers reads and pings of its clients meanwhile.
     */
    public void cutOff(ZookeeperServer server) {
        if (lines.isEmpty()) {
            throw new IllegalStateException("The servers reach each other directly; start the ensemble with lines");
        }
        int index = servers.indexOf(server);
        for (PeerLine line : lines) {
            if (line.from == index || line.to == index) {
                line.proxy.both(FaultProxy.Rule.hold());
            }
        }
    }

    /** Servers reach each other again, and what was held up arrives. */
    public void healLines() {
        lines.forEach(line -> line.proxy.heal());
    }

    /** As clients name all of it. */
    public String addresses() {
        return servers.stream().map(ZookeeperServer::address).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        servers.forEach(ZookeeperServer::close);
        lines.forEach(line -> line.proxy.close());
    }
}
