package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.testkit.zookeeper.ZookeeperEnsemble;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Three ZooKeeper servers; each client reaches each of them through a proxy of its own. */
final class ZookeeperSite implements Site {

    private final ZookeeperEnsemble ensemble = ZookeeperEnsemble.start();
    private final ServerLinks links;

    ZookeeperSite(int clients) {
        links = new ServerLinks(
                clients, ensemble.servers().stream().map(ZookeeperServer::port).toList());
    }

    @Override
    public String url(int client) {
        return "zk://" + links.addresses(client);
    }

    @Override
    public String url() {
        return "zk://" + ensemble.addresses();
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(links.faults());
        faults.add(new ScriptedFault("leader killed", false, false, this::killLeader));
        faults.add(new ScriptedFault("leader stopped", false, false, this::stopLeader));
        faults.add(new ScriptedFault("server killed", false, false, this::killServer));
        faults.add(new ScriptedFault("majority stopped", false, false, this::stopMajority));
        return faults;
    }

    private String killLeader(Scene scene, SplittableRandom random) {
        return kill(ensemble.leader(), random);
    }

    private String killServer(Scene scene, SplittableRandom random) {
        return kill(ensemble.servers().get(random.nextInt(ensemble.servers().size())), random);
    }

    private String kill(ZookeeperServer server, SplittableRandom random) {
        server.kill();
        Pauses.forTime(Pauses.times(Duration.ofSeconds(1), 0, 1, random));
        server.restart();
        ensemble.awaitAll();
        return server.toString();
    }

    private String stopLeader(Scene scene, SplittableRandom random) {
        return stop(List.of(ensemble.leader()), scene, random);
    }

    private String stopMajority(Scene scene, SplittableRandom random) {
        return stop(ensemble.servers().subList(0, 2), scene, random);
    }

    private String stop(List<ZookeeperServer> servers, Scene scene, SplittableRandom random) {
        servers.forEach(ZookeeperServer::pause);
        try {
            Pauses.forTime(Pauses.times(scene.lease(), 0.3, 1.6, random));
        } finally {
            servers.forEach(ZookeeperServer::resume);
        }
        ensemble.awaitAll();
        return servers.toString();
    }

    @Override
    public void close() {
        links.close();
        ensemble.close();
    }
}
