package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.redis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** D23: a keeper waits for any number of names with one subscription. */
class ManyWaitersTest {

    @Test
    void twoThousandContendedNamesInOneKeeperAreAllServed() throws Exception {
        int names = 2000;
        try (RedisServer server = RedisServer.start();
                Lockkeeper holder = PatientKeepers.keeper().connect(server.url());
                Lockkeeper waiter = PatientKeepers.keeper().connect(server.url())) {
            List<ExclusiveHold> holds = new ArrayList<>();
            List<CompletableFuture<ExclusiveHold>> waiting = new ArrayList<>();
            for (int i = 0; i < names; i++) {
                holds.add(holder.lock("name " + i).acquire());
            }
            for (int i = 0; i < names; i++) {
                waiting.add(waiter.lock("name " + i).acquireAsync());
            }
            Eventually.holds(() -> queues(server) == names);
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            // One for each keeper. Those that were given up as too slow are there until the server has noticed.
            Eventually.holds(() -> subscribers(server) == 2);
            Eventually.holds(() -> connections(server) <= 2 * 9 + 1);

            holds.forEach(SingleHold::close);
            for (CompletableFuture<ExclusiveHold> each : waiting) {
                each.get(60, TimeUnit.SECONDS).close();
            }
            Eventually.holds(() -> queues(server) == 0);
        }
    }

    private static long queues(RedisServer server) {
        return ((List<?>) server.command("KEYS", "*:q")).size();
    }

    private static long subscribers(RedisServer server) {
        return String.valueOf(server.command("CLIENT", "LIST", "TYPE", "pubsub"))
                .lines()
                .count();
    }

    private static long connections(RedisServer server) {
        return String.valueOf(server.command("CLIENT", "LIST")).lines().count();
    }
}
