package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.zookeeper.ZookeeperEnsemble;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Three ZooKeeper servers; each client reaches each of them through a proxy of its own. */
final class ZookeeperSite implements Site {

    private final ZookeeperEnsemble ensemble = ZookeeperEnsemble.start();
    private final List<Links> links;

    ZookeeperSite(int clients) {
        links = ensemble.servers().stream()
                .map(server -> new Links(clients, server.port()))
                .toList();
    }

    @Override
    public String url(int client) {
        return "zk://"
                + links.stream().map(link -> "127.0.0.1:" + link.port(client)).collect(Collectors.joining(","));
    }

    @Override
    public String url() {
        return "zk://" + ensemble.addresses();
    }

    @Override
    public List<Fault> faults() {
        return List.of(
                new ScriptedFault("client cut off", false, true, this::cutOff),
                new ScriptedFault("packets held back", false, true, this::holdBoth),
                new ScriptedFault("connections ended", false, true, this::reset),
                new ScriptedFault("leader killed", false, false, this::killLeader),
                new ScriptedFault("leader stopped", false, false, this::stopLeader),
                new ScriptedFault("server killed", false, false, this::killServer),
                new ScriptedFault("majority stopped", false, false, this::stopMajority));
    }

    private List<FaultProxy> ways(int client) {
        return links.stream().map(link -> link.of(client)).toList();
    }

    private String cutOff(Scene scene, SplittableRandom random) {
        int victim = scene.anyClient(random);
        Links.swallow(ways(victim), Pauses.times(scene.lease(), 1.1, 2, random));
        return "client " + victim;
    }

    private String holdBoth(Scene scene, SplittableRandom random) {
        int victim = scene.anyClient(random);
        ways(victim).forEach(way -> way.both(Rule.hold()));
        Pauses.forTime(Pauses.times(scene.lease(), 1.1, 2, random));
        ways(victim).forEach(FaultProxy::heal);
        return "client " + victim;
    }

    private String reset(Scene scene, SplittableRandom random) {
        for (int i = 0; i < 10; i++) {
            links.forEach(link -> link.all().forEach(FaultProxy::resetAll));
            Pauses.forTime(Duration.ofMillis(100));
        }
        return "all clients";
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
        links.forEach(Links::close);
        ensemble.close();
    }
}
