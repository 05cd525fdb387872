package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.RedisWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The cost of holding locks: renewals in few commands, few connections, few threads. */
@Isolated
class RenewalCostTest {

    private final RedisServer server = RedisServer.start();
    private final RedisWire wire = server.connect();

    @AfterEach
    void end() {
        wire.close();
        server.close();
    }

    @Test
    @AboutTime
    void aThousandLocksAreRenewedByThreeCommands() throws Exception {
        RenewalCount renewals = new RenewalCount();
        try (Lockkeeper keeper = Lockkeeper.builder()
                .lease(Duration.ofSeconds(18))
                .listener(renewals)
                .connect(server.url())) {
            List<ExclusiveHold> holds = HeldLocks.hold(keeper, 1000);
            server.resetStats();
            renewals.grants.set(0);
            Eventually.holds(() -> renewals.grants.get() >= 1000);
            // The server may be ahead by a request that is not told yet, for a moment.
            try {
                Eventually.holds(() -> commands() <= 3L * renewals.grants.get() / 1000 + 1);
                // Looking, whether anybody waits, and extending; in the first seconds of an hour one more.
                Eventually.holds(() -> commandsInside() <= 4L * renewals.grants.get());
            } finally {
                System.out.println("1,000 held locks: " + commands() + " commands, " + commandsInside()
                        + " inside of them, for " + renewals.grants.get() + " renewals");
            }
            HeldLocks.areHeld(holds);
        }
    }

    private long commands() {
        return server.commandStats().getOrDefault("evalsha", 0L);
    }

    private long commandsInside() {
        Map<String, Long> stats = server.commandStats();
        return Stream.of("get", "exists", "pexpire", "hget", "hmget", "zcard")
                .mapToLong(command -> stats.getOrDefault(command, 0L))
                .sum();
    }

    @Test
    void aKeeperHasFewConnectionsAndThreads() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Eventually.holds(() -> connections() == 0);
        try (Lockkeeper keeper = PatientKeepers.keeper().connect(server.url())) {
            keeper.lock("once").acquire().close();
            long idleConnections = connections();
            List<String> idleThreads = threads(before);
            List<ExclusiveHold> holds = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                holds.add(keeper.lock("held/" + i).acquire());
            }
            long connections = connections();
            List<String> threads = threads(before);
            System.out.println("idle keeper: " + idleConnections + " connections, threads " + idleThreads);
            System.out.println("1,000 held locks: " + connections + " connections, threads " + threads);

            assertThat(idleConnections).isLessThanOrEqualTo(2);
            assertThat(idleThreads).hasSizeLessThanOrEqualTo(4);
            assertThat(connections).isLessThanOrEqualTo(3);
            assertThat(threads).hasSizeLessThanOrEqualTo(4);
            HeldLocks.areHeld(holds);
        }
        Eventually.holds(() -> connections() == 0);
        Eventually.holds(() -> threads(before).isEmpty());
    }

    @Test
    void theConnectionsOfAThousandThreadsAreBounded() throws Exception {
        try (Lockkeeper keeper = PatientKeepers.keeper().connect(server.url())) {
            HeldLocks.hold(keeper, 1000);

            // Those that were given up as too slow are there until the server has noticed.
            Eventually.holds(() -> connections() <= 9);
        }
    }

    /** Connections to the server, without the one that asks. */
    private long connections() {
        return String.valueOf(wire.command("CLIENT", "LIST")).lines().count() - 1;
    }

    private static List<String> threads(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.getName().startsWith("lockkeeper"))
                .map(Thread::getName)
                .sorted()
                .collect(Collectors.toList());
    }

    @Test
    @Tag("full")
    void tenThousandHeldLocksForAMinute() throws Exception {
        RenewalCount renewals = new RenewalCount();
        try (Lockkeeper keeper = Lockkeeper.builder().listener(renewals).connect(server.url())) {
            List<ExclusiveHold> holds = HeldLocks.hold(keeper, 10_000);
            server.resetStats();
            renewals.grants.set(0);
            long begin = System.nanoTime();
            // Each is renewed every ten seconds.
            TestTimeouts.until(
                    "all were renewed six times", Duration.ofSeconds(120), () -> renewals.grants.get() >= 60_000);
            double minutes = (System.nanoTime() - begin) / 60e9;
            long commands = commands();
            System.out.printf("10,000 held locks: %.0f commands a minute%n", commands / minutes);

            assertThat(commands).isLessThanOrEqualTo(60_000 / 300);
            HeldLocks.areHeld(holds);
        }
    }
}
