package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** The ways between the clients and several servers that stand for each other, a proxy for each client and server. */
final class ServerLinks implements AutoCloseable {

    private final List<Links> links;

    ServerLinks(int clients, List<Integer> ports) {
        links = ports.stream().map(port -> new Links(clients, port)).toList();
    }

    /** Where a client finds the servers, with commas. */
    String addresses(int client) {
        return links.stream().map(link -> "127.0.0.1:" + link.port(client)).collect(Collectors.joining(","));
    }

    /** What can be done to them while the servers and the other clients go on. */
    List<Fault> faults() {
        return List.of(
                new ScriptedFault("client cut off", false, true, this::cutOff),
                new ScriptedFault("packets held back", false, true, this::holdBoth),
                new ScriptedFault("connections ended", false, true, this::reset));
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

    @Override
    public void close() {
        links.forEach(Links::close);
    }
}
