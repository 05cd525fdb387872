package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The first try of a new process, whose classes are not loaded yet, against the usual limit of a member. */
final class RedlockColdStartTest {

    private static final int PROCESSES = Integer.getInteger("lockkeeper.coldStarts", 3);

    /** A process that tries once. */
    static final class FirstTry {

        private FirstTry() {}

        public static void main(String[] args) {
            try (Lockkeeper keeper = Lockkeeper.connect(args[0])) {
                long begin = System.nanoTime();
                String outcome;
                try (ExclusiveHold hold = keeper.lock(args[1]).tryAcquire()) {
                    outcome = hold == null ? "null" : "granted";
                } catch (RuntimeException e) {
                    outcome = e.toString();
                }
                System.out.println(outcome + " after " + (System.nanoTime() - begin) / 1_000_000 + " ms");
            }
        }
    }

    @Test
    void theFirstTryOfANewProcessIsGranted() {
        List<RedisServer> servers = Stream.generate(RedisServer::start).limit(3).toList();
        try {
            String hosts = servers.stream().map(s -> "127.0.0.1:" + s.port()).collect(Collectors.joining(","));
            List<String> outcomes = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                try (ChildJvm child =
                        ChildJvm.start(FirstTry.class, "redlock://" + hosts + "?durable=true", "orders/" + i)) {
                    outcomes.add(child.receive(Duration.ofSeconds(60)));
                }
            }
            if (PROCESSES > 3) {
                System.out.println(String.join("\n", outcomes));
            }
            assertThat(outcomes).allMatch(outcome -> outcome.startsWith("granted"));
        } finally {
            servers.forEach(RedisServer::close);
        }
    }
}
