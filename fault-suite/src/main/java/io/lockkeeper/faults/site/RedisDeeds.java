package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.Collection;

/** What can be done to any Redis server. */
final class RedisDeeds {

    private RedisDeeds() {}

    /** Stops it (SIGSTOP) and lets it go on. */
    static void stopFor(RedisServer server, Duration time) {
        server.pause();
        try {
            Pauses.forTime(time);
        } finally {
            server.resume();
        }
    }

    /** The connections over which wake-ups come are closed, several times, so that some are lost. */
    static void dropSubscribers(Collection<RedisServer> servers) {
        for (int i = 0; i < 10; i++) {
            servers.forEach(server -> server.command("CLIENT", "KILL", "TYPE", "pubsub"));
            Pauses.forTime(Duration.ofMillis(100));
        }
    }
}
