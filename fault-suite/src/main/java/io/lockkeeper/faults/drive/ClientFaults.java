package io.lockkeeper.faults.drive;

import java.util.List;
import java.util.SplittableRandom;

/** What can be done to any client, whatever store it uses. */
final class ClientFaults {

    private ClientFaults() {}

    static List<Fault> on(Site site) {
        return List.of(
                new ScriptedFault("client killed", false, true, ClientFaults::kill),
                new ScriptedFault("client stopped", false, site.leased(), ClientFaults::stop));
    }

    private static String kill(Scene scene, SplittableRandom random) {
        int victim = scene.anyClient(random);
        String name = scene.client(victim).name();
        scene.client(victim).kill();
        scene.replace(victim);
        return "client " + name;
    }

    private static String stop(Scene scene, SplittableRandom random) {
        Client victim = scene.client(scene.anyClient(random));
        victim.stopFor(Pauses.times(scene.lease(), 1.1, 2, random));
        return "client " + victim.name();
    }
}
