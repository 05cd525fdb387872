package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HandOff;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The commands that locks cost, as the server counts them. */
@SuppressWarnings("LockNotBeforeTry")
class CommandCountTest {

    private static final int TRIES = 20;

    private final RedisServer server = RedisServer.start();
    private final Lockkeeper keeper = Lockkeeper.builder().connect(server.url());

    @AfterEach
    void end() {
        keeper.close();
        server.close();
    }

    /** Commands that clients sent since {@link #fresh()}, and PUBLISH; those that scripts run inside the server are left out. */
    private Map<String, Long> sent() {
        Map<String, Long> sent = new TreeMap<>(server.commandStats());
        sent.keySet().retainAll(List.of("evalsha", "eval", "publish", "wait", "script|load", "subscribe", "info"));
        // The test itself asks for these figures.
        sent.computeIfPresent("info", (name, times) -> times > 0 ? null : times);
        return sent;
    }

    /** The scripts are known, the keeper listens, and the count begins at zero. */
    private void fresh(Lockkeeper... keepers) throws InterruptedException {
        for (Lockkeeper each : keepers) {
            each.lock("warm").acquire().close();
            each.inspect("warm");
        }
        Eventually.holds(() -> ((List<?>) server.command("PUBSUB", "CHANNELS")).size() == keepers.length);
        server.resetStats();
    }

    /** What is done, as the so-manieth try. */
    private interface Work {
        void run(int tries) throws Exception;
    }

    /**
     * A keeper that begins to listen, which on a busy machine may be a moment after the server knows it, or again and again,
     * makes sure of what it holds; and a waiter that waits for long polls now and then. Neither is part of the cost: a run without
     * them is looked for.
     */
    private void costs(Predicate<Map<String, Long>> right, Work work) throws Exception {
        Map<String, Long> sent = Map.of();
        for (int tries = 1; tries <= TRIES && (tries == 1 || !right.test(sent)); tries++) {
            server.resetStats();
            work.run(tries);
            sent = sent();
        }
        assertThat(sent).matches(right);
    }

    @Test
    void anUncontendedPairIsTwoCommandsAndNothingIsPublished() throws Exception {
        fresh(keeper);
        costs(Map.of("evalsha", 200L)::equals, tries -> {
            for (int i = 0; i < 100; i++) {
                keeper.lock("own").acquire().close();
            }
        });
    }

    @Test
    void otherModesAreTwoCommandsToo() throws Exception {
        fresh(keeper);
        costs(Map.of("evalsha", 17L)::equals, tries -> {
            keeper.fairLock("fair").acquire().close();
            keeper.readWriteLock("read").readLock().acquire().close();
            keeper.readWriteLock("write").writeLock().acquire().close();
            keeper.semaphore("permits", 3).acquire(2).close();
            keeper.lock("portable").portable().acquire().close();
            keeper.lock("fixed").withFixedLease(Duration.ofMinutes(1)).acquire().close();
            keeper.lock("async").acquireAsync().get(60, TimeUnit.SECONDS).close();
            assertThat(keeper.lock("tried " + tries).tryAcquire()).isNotNull();
            keeper.lock("jdk").lock();
            keeper.lock("jdk").unlock();
        });
    }

    @Test
    void aReentrantPairIsNoCommand() throws Exception {
        // Not renewed: a keeper that begins to listen makes sure of what it holds, which would count.
        DistributedLock lock = keeper.lock("own").withFixedLease(Duration.ofMinutes(1));
        fresh(keeper);
        lock.lock();
        server.resetStats();
        for (int i = 0; i < 100; i++) {
            lock.lock();
            lock.unlock();
        }

        assertThat(sent()).isEmpty();
        lock.unlock();
    }

    @Test
    void aThousandStickyPairsAreOneCommand() throws Exception {
        fresh(keeper);
        costs(Map.of("evalsha", 1L)::equals, tries -> {
            DistributedLock lock = keeper.lock("own " + tries).sticky(Duration.ofSeconds(10));
            long last = 0;
            for (int i = 0; i < 1_000; i++) {
                try (ExclusiveHold hold = lock.acquire()) {
                    assertThat(hold.token()).isGreaterThan(last);
                    last = hold.token();
                }
            }
        });
    }

    @Test
    void askingForAStickyLockIsOneMessage() throws Exception {
        try (Lockkeeper other = Lockkeeper.connect(server.url())) {
            fresh(keeper, other);
            DistributedLock lock = keeper.lock("own").sticky(Duration.ofSeconds(10));
            // On a busy machine it may be asked for a second time before it is back: a run without that is looked for.
            Eventually.holds(() -> {
                lock.lock();
                lock.unlock();
                server.resetStats();
                other.lock("own").lock();
                other.lock("own").unlock();
                // Asked and queued, told; given back, told; asked again, released.
                return sent().equals(Map.of("evalsha", 4L, "publish", 2L));
            });
        }
    }

    @Test
    void inspectIsOneCommand() throws Exception {
        try (SingleHold hold =
                keeper.lock("own").withFixedLease(Duration.ofMinutes(1)).acquire()) {
            fresh(keeper);
            costs(
                    Map.of("evalsha", 1L)::equals,
                    tries -> assertThat(keeper.inspect("own")).isPresent());
        }
    }

    @Test
    void aHandOverIsThreeCommands() throws Exception {
        try (Lockkeeper other = Lockkeeper.connect(server.url())) {
            fresh(keeper, other);
            List<ExclusiveHold> next = new ArrayList<>();
            costs(Map.of("publish", 1L, "evalsha", 2L)::equals, tries -> {
                next.forEach(SingleHold::close);
                next.clear();
                ExclusiveHold hold = keeper.lock("own").acquire();
                Future<ExclusiveHold> waiting = other.lock("own").acquireAsync();
                Eventually.holds(
                        () -> keeper.inspect("own").map(ResourceState::waiting).orElse(0) == 1);
                server.resetStats();
                hold.close();
                next.add(waiting.get(60, TimeUnit.SECONDS));
            });
            next.forEach(SingleHold::close);
        }
    }

    @Test
    void handOversBetweenTwoKeepersCostThreeCommandsEach() throws Exception {
        int rounds = 300;
        try (Lockkeeper one = open(HandOff.OFF);
                Lockkeeper two = open(HandOff.OFF)) {
            fresh(keeper, one, two);
            List<Callable<Void>> both = new ArrayList<>();
            for (Lockkeeper each : List.of(one, two)) {
                both.add(() -> {
                    for (int i = 0; i < rounds; i++) {
                        each.lock("own").acquire().close();
                    }
                    return null;
                });
            }
            runAll(both);
            double acquisitions = 2 * rounds;
            System.out.printf(
                    "two keepers, one name: %.2f commands and %.2f messages an acquisition%n",
                    sent().get("evalsha") / acquisitions, sent().getOrDefault("publish", 0L) / acquisitions);

            // Asked and refused, told, confirmed, released.
            assertThat(sent().get("evalsha")).isLessThanOrEqualTo((long) (3.5 * acquisitions));
            assertThat(sent().getOrDefault("publish", 0L)).isLessThanOrEqualTo((long) (2.1 * acquisitions));
        }
    }

    private Lockkeeper open(HandOff handOff) {
        return Lockkeeper.builder().handOff(handOff).connect(server.url());
    }

    @Test
    void oneReleaseTellsOneOfManyKeepers() throws Exception {
        List<Lockkeeper> crowd = new ArrayList<>();
        List<Future<ExclusiveHold>> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                crowd.add(Lockkeeper.connect(server.url()));
            }
            List<Lockkeeper> everybody = new ArrayList<>(crowd);
            everybody.add(keeper);
            fresh(everybody.toArray(Lockkeeper[]::new));
            // One that asks by itself before the first has confirmed has the first told again.
            costs(sent -> Long.valueOf(1).equals(sent.get("publish")), tries -> {
                waiting.clear();
                String name = "own " + tries;
                ExclusiveHold hold = keeper.lock(name).acquire();
                for (Lockkeeper each : crowd) {
                    waiting.add(each.lock(name).acquireAsync());
                }
                Eventually.holds(
                        () -> keeper.inspect(name).map(ResourceState::waiting).orElse(0) == 10);
                server.resetStats();
                hold.close();
                Eventually.holds(() -> waiting.stream().anyMatch(Future::isDone));
            });
        } finally {
            crowd.forEach(Lockkeeper::close);
        }
    }

    @Test
    void sixteenThreadsOnOneNameNeedFewCommands() throws Exception {
        int threads = 16;
        int rounds = 500;
        DistributedLock lock = keeper.lock("own");
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            all.add(() -> {
                for (int n = 0; n < rounds; n++) {
                    lock.acquire().close();
                }
                return null;
            });
        }
        fresh(keeper);
        // Passed on for a few milliseconds at a time, it goes through fewer hands where threads wait for the processor.
        costs(sent -> sent.get("evalsha") < 0.2 * threads * rounds && !sent.containsKey("publish"), tries -> {
            runAll(all);
            System.out.printf(
                    "16 threads, one name: %.3f commands an acquisition%n",
                    sent().get("evalsha") / (double) (threads * rounds));
        });
    }

    private static void runAll(List<Callable<Void>> bodies) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(bodies.size());
        try {
            for (Future<Void> done : pool.invokeAll(bodies)) {
                done.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
