package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.redis.RedisServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The first try of a new process. What it needs once, above all its classes, is there when the quorum is open. That is
 * counted here, since the time it takes depends on what else the machine does; to see it against the 50 ms of a member, run
 * it with {@code -Dlockkeeper.coldStarts=20 -Dlockkeeper.coldStarts.nodeTimeout=50ms} on a quiet machine.
 */
final class RedlockColdStartTest {

    private static final int PROCESSES = Integer.getInteger("lockkeeper.coldStarts", 2);
    private static final String NODE_TIMEOUT = System.getProperty("lockkeeper.coldStarts.nodeTimeout", "2s");
    /** 116 are loaded with the rehearsal, and 183 without it. */
    private static final int FEW_CLASSES = 150;

    /** A process that tries once. */
    static final class FirstTry {

        private FirstTry() {}

        public static void main(String[] args) {
            try (Lockkeeper keeper = Lockkeeper.connect(args[0])) {
                long before = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
                long begin = System.nanoTime();
                String outcome;
                try (ExclusiveHold hold = keeper.lock(args[1]).tryAcquire()) {
                    outcome = hold == null ? "null" : "granted";
                } catch (RuntimeException e) {
                    outcome = e.toString();
                }
                long millis = (System.nanoTime() - begin) / 1_000_000;
                long loaded = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount() - before;
                System.out.println(loaded + " classes, " + millis + " ms, " + outcome);
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
                try (ChildJvm child = ChildJvm.start(
                        FirstTry.class,
                        "redlock://" + hosts + "?durable=true&nodeTimeout=" + NODE_TIMEOUT,
                        "orders/" + i)) {
                    outcomes.add(child.receive(Duration.ofSeconds(60)));
                }
            }
            assertThat(outcomes).allSatisfy(outcome -> {
                assertThat(outcome).endsWith("granted");
                assertThat(Integer.parseInt(outcome.substring(0, outcome.indexOf(' '))))
                        .isLessThan(FEW_CLASSES);
            });
        } finally {
            servers.forEach(RedisServer::close);
        }
    }
}
