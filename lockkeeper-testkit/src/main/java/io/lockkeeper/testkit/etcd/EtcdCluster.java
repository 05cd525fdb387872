package io.lockkeeper.testkit.etcd;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.TestTimeouts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three etcd servers that agree with each other. They reach each other through proxies, so that one of them can be cut off from others
 * while clients still reach it.
 *
 * <p>All servers know one address of each server, so the proxy in front of a server serves both others; it tells them apart by the
 * process that a connection comes from.
 */
public final class EtcdCluster implements AutoCloseable {

    private static final int SIZE = 3;

    private final List<EtcdServer> servers;
    private final List<FaultProxy> doors;

    private EtcdCluster(List<EtcdServer> servers, List<FaultProxy> doors) {
        this.servers = servers;
        this.doors = doors;
    }

    /** Starts three servers, and returns when all of them serve clients. */
    public static EtcdCluster start() {
        return start(EtcdServer.options());
    }

    /** The same with options for each. */
    public static EtcdCluster start(EtcdOptions options) {
        List<EtcdPorts> ports =
                IntStream.range(0, SIZE).mapToObj(i -> EtcdPorts.free()).toList();
        Set<Integer> different = new HashSet<>();
        ports.forEach(port -> different.addAll(List.of(port.client(), port.peer(), port.metrics())));
        if (different.size() < 3 * SIZE) {
            return start(options);
        }
        List<FaultProxy> doors =
                ports.stream().map(port -> FaultProxy.to(port.peer())).toList();
        String members = IntStream.range(0, SIZE)
                .mapToObj(i -> "s" + i + "=" + url(doors.get(i)))
                .collect(Collectors.joining(","));
        List<EtcdServer> servers = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            List<String> cluster = List.of(
                    "--initial-advertise-peer-urls=" + url(doors.get(i)),
                    "--initial-cluster=" + members,
                    "--initial-cluster-state=new");
            servers.add(EtcdServer.prepared(ports.get(i), "s" + i, cluster, options));
        }
        EtcdCluster cluster = new EtcdCluster(List.copyOf(servers), doors);
        cluster.awaitAll();
        return cluster;
    }

    private static String url(FaultProxy door) {
        return "http://127.0.0.1:" + door.port();
    }

    /** Returns when all servers serve clients. */
    public void awaitAll() {
        TestTimeouts.until(
                "all servers of the cluster serve", () -> servers.stream().allMatch(EtcdServer::answers));
    }

    public List<EtcdServer> servers() {
        return servers;
    }

    /** The server that leads now: the one that also knows a majority, if another still believes to lead. */
    public EtcdServer leader() {
        List<EtcdServer> found = new ArrayList<>();
        TestTimeouts.until("the cluster has a leader", () -> {
            found.clear();
            servers.stream()
                    .filter(server -> server.leads() && server.answers())
                    .forEach(found::add);
            return found.size() == 1;
        });
        return found.get(0);
    }

    /** A server that does not lead now. */
    public EtcdServer follower() {
        EtcdServer leader = leader();
        return servers.stream().filter(server -> server != leader).findFirst().orElseThrow();
    }

    /** No server reaches this one any more, nor does it reach them; clients still do. Returns when it knows of no leader. */
    public void cutOff(EtcdServer server) {
        for (EtcdServer other : servers) {
            if (other != server) {
                door(other).admit(port -> !SocketOwner.owns(server.pid(), port));
            }
        }
        door(server).refuse();
        door(server).resetAll();
        TestTimeouts.until("a server that is cut off knows of no leader", () -> !server.hasLeader());
    }

    /** All servers reach each other again. */
    public void heal() {
        doors.forEach(door -> {
            door.admit(port -> true);
            door.heal();
        });
    }

    private FaultProxy door(EtcdServer server) {
        return doors.get(servers.indexOf(server));
    }

    /** As clients name all of it: hosts and ports. */
    public String addresses() {
        return servers.stream().map(EtcdServer::address).collect(Collectors.joining(","));
    }

    /** Where keepers find it, under the default prefix. */
    public String url() {
        return "etcd://" + addresses();
    }

    @Override
    public void close() {
        servers.forEach(EtcdServer::close);
        doors.forEach(FaultProxy::close);
    }
}
