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
import java.util.stream.IntStream;

/** The ways between the clients and one server, a proxy for each client. */
final class Links implements AutoCloseable {

    private final List<FaultProxy> proxies;

    Links(int clients, int port) {
        proxies = IntStream.range(0, clients).mapToObj(i -> FaultProxy.to(port)).toList();
    }

    /** Where a client finds the server; clients are numbered from 1. */
    int port(int client) {
        return of(client).port();
    }

    FaultProxy of(int client) {
        return proxies.get(client - 1);
    }

    List<FaultProxy> all() {
        return proxies;
    }

    /** What can be done to them while the server and the other clients go on. */
    List<Fault> faults() {
        return List.of(
                new ScriptedFault("client cut off", false, true, this::cutOff),
                new ScriptedFault("packets held back", false, true, this::holdBoth),
                new ScriptedFault("replies held back", false, true, this::holdReplies),
                new ScriptedFault("replies cut", false, true, this::cutReplies),
                new ScriptedFault("replies delayed", false, true, this::delay));
    }

    /** What is sent vanishes; in the end the connections are broken off, as nobody can go on in a stream with a hole. */
    private String cutOff(Scene scene, SplittableRandom random) {
        int victim = scene.anyClient(random);
        swallow(List.of(of(victim)), Pauses.times(scene.lease(), 1.1, 2, random));
        return "client " + victim;
    }

    static void swallow(List<FaultProxy> proxies, Duration time) {
        proxies.forEach(proxy -> proxy.both(Rule.swallow()));
        try {
            Pauses.forTime(time);
        } finally {
            for (FaultProxy proxy : proxies) {
                // Nobody gets in between whose first bytes would vanish: a replica would wait a minute for their
                // answer.
                proxy.refuse();
                proxy.resetAll();
                proxy.heal();
            }
        }
    }

    /** Both ways, for longer than the lease; then all arrives. */
    private String holdBoth(Scene scene, SplittableRandom random) {
        int victim = scene.anyClient(random);
        of(victim).both(Rule.hold());
        Pauses.forTime(Pauses.times(scene.lease(), 1.1, 2, random));
        of(victim).heal();
        return "client " + victim;
    }

    /** Requests are executed and their answers come late, most of them after the client has given up. */
    private String holdReplies(Scene scene, SplittableRandom random) {
        int victim = scene.anyClient(random);
        of(victim).toClient(Rule.hold());
        Pauses.forTime(Pauses.times(scene.lease(), 0.3, 1.5, random));
        of(victim).heal();
        return "client " + victim;
    }

    /** Answers stop in their middle, again and again. */
    private String cutReplies(Scene scene, SplittableRandom random) {
        int victim = scene.anyClient(random);
        for (int i = 0; i < 5; i++) {
            of(victim).toClient(Rule.cutAfter(random.nextInt(60)));
            Pauses.forTime(Pauses.times(Duration.ofMillis(100), 0.2, 1, random));
            of(victim).heal();
            Pauses.forTime(Pauses.times(Duration.ofMillis(200), 0.2, 1, random));
        }
        return "client " + victim;
    }

    /** The network of all clients is slow, each by another time. */
    private String delay(Scene scene, SplittableRandom random) {
        for (FaultProxy proxy : proxies) {
            proxy.toClient(Rule.delay(Duration.ofMillis(random.nextInt(5, 200))));
        }
        Pauses.forTime(Pauses.times(scene.lease(), 0.5, 1.5, random));
        proxies.forEach(FaultProxy::heal);
        return "all clients";
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
    }
}
