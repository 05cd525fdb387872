package io.lockkeeper.faults.drive;

import io.lockkeeper.faults.history.Incident;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** What can be done to any client, whatever store it uses. */
final class ClientFaults {

    private ClientFaults() {}

    static List<Fault> all() {
        return List.of(new Killed(), new Stopped());
    }

    private static final class Killed implements Fault {

        @Override
        public String kind() {
            return "client killed";
        }

        @Override
        public Incident strike(Scene scene, SplittableRandom random) {
            int victim = scene.anyClient(random);
            String name = scene.client(victim).name();
            long begun = System.nanoTime();
            scene.client(victim).kill();
            scene.replace(victim);
            return new Incident(kind(), "client " + name, begun, System.nanoTime(), begun, false);
        }
    }

    private static final class Stopped implements Fault {

        @Override
        public String kind() {
            return "client stopped";
        }

        @Override
        public Incident strike(Scene scene, SplittableRandom random) {
            Client victim = scene.client(scene.anyClient(random));
            Duration time = Pauses.times(scene.lease(), 1.1, 2, random);
            long begun = System.nanoTime();
            victim.stopFor(time);
            long healed = System.nanoTime();
            long expectedFrom = scene.site().leased() ? begun : healed;
            return new Incident(kind(), "client " + victim.name(), begun, healed, expectedFrom, false);
        }
    }
}
