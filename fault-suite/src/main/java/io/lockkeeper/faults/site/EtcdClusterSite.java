package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.testkit.etcd.EtcdCluster;
import io.lockkeeper.testkit.etcd.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Three etcd servers; each client reaches each of them through a proxy of its own, and they reach each other through proxies. */
final class EtcdClusterSite implements Site {

    private final EtcdCluster cluster = EtcdCluster.start();
    private final ServerLinks links;

    EtcdClusterSite(int clients) {
        links = new ServerLinks(
                clients, cluster.servers().stream().map(EtcdServer::port).toList());
    }

    @Override
    public String url(int client) {
        return "etcd://" + links.addresses(client);
    }

    @Override
    public String url() {
        return cluster.url();
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(links.faults());
        faults.add(new ScriptedFault("leader killed", false, false, this::killLeader));
        faults.add(new ScriptedFault("leader stopped", false, false, this::stopLeader));
        faults.add(new ScriptedFault("server killed", false, false, this::killServer));
        faults.add(new ScriptedFault("leader cut off", false, false, this::cutOffLeader));
        faults.add(new ScriptedFault("follower cut off", false, false, this::cutOffFollower));
        faults.add(new ScriptedFault("majority stopped", false, false, this::stopMajority));
        return faults;
    }

    private String killLeader(Scene scene, SplittableRandom random) {
        return kill(cluster.leader(), random);
    }

    private String killServer(Scene scene, SplittableRandom random) {
        return kill(cluster.servers().get(random.nextInt(cluster.servers().size())), random);
    }

    private String kill(EtcdServer server, SplittableRandom random) {
        server.kill();
        Pauses.forTime(Pauses.times(Duration.ofSeconds(1), 0, 1, random));
        server.restart();
        cluster.awaitAll();
        return server.toString();
    }

    private String cutOffLeader(Scene scene, SplittableRandom random) {
        return cutOff(cluster.leader(), scene, random);
    }

    private String cutOffFollower(Scene scene, SplittableRandom random) {
        return cutOff(cluster.follower(), scene, random);
    }

    private String cutOff(EtcdServer server, Scene scene, SplittableRandom random) {
        try {
            cluster.cutOff(server);
            Pauses.forTime(Pauses.times(scene.lease(), 0.3, 1.6, random));
        } finally {
            cluster.heal();
        }
        cluster.awaitAll();
        return server.toString();
    }

    private String stopLeader(Scene scene, SplittableRandom random) {
        return stop(List.of(cluster.leader()), scene, random);
    }

    private String stopMajority(Scene scene, SplittableRandom random) {
        return stop(cluster.servers().subList(0, 2), scene, random);
    }

    private String stop(List<EtcdServer> servers, Scene scene, SplittableRandom random) {
        servers.forEach(EtcdServer::pause);
        try {
            Pauses.forTime(Pauses.times(scene.lease(), 0.3, 1.6, random));
        } finally {
            servers.forEach(EtcdServer::resume);
        }
        cluster.awaitAll();
        return servers.toString();
    }

    @Override
    public void close() {
        links.close();
        cluster.close();
    }
}
