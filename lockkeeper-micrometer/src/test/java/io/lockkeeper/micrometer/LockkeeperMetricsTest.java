package io.lockkeeper.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HandOff;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the meters say of a keeper on memory, and that the documents name no others. */
class LockkeeperMetricsTest {

    private static final Set<String> NAMES = Set.of(
            "lockkeeper.acquire",
            "lockkeeper.hold",
            "lockkeeper.held",
            "lockkeeper.waiting",
            "lockkeeper.lost",
            "lockkeeper.handoffs",
            "lockkeeper.polls",
            "lockkeeper.renewals.failed",
            "lockkeeper.store.errors");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static Lockkeeper keeper(LockkeeperMetrics metrics) {
        // The default hands a grant off for 20 ms only, which a busy machine may exceed.
        HandOff patient = new HandOff(64, Duration.ofMinutes(1));
        return Lockkeeper.builder().handOff(patient).listener(metrics).connect("memory:metrics-test");
    }

    @Test
    void acquisitionsWaitersHoldsAndLossesAreCounted() throws Exception {
        try (Lockkeeper keeper = keeper(new LockkeeperMetrics(registry))) {
            ExclusiveHold hold = keeper.lock("a").acquire();
            assertThat(registry.get("lockkeeper.held")
                            .tags("backend", "memory", "primitive", "lock")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            assertThat(keeper.lock("a").tryAcquire()).isNull();
            CompletableFuture<ExclusiveHold> waiter = keeper.lock("a").acquireAsync();
            eventually(() -> registry.get("lockkeeper.waiting").gauge().value() == 1);
            hold.close();
            ExclusiveHold second = waiter.get(1, TimeUnit.MINUTES);
            assertThat(registry.get("lockkeeper.waiting").gauge().value()).isZero();
            assertThat(registry.get("lockkeeper.held").gauge().value()).isEqualTo(1);
            keeper.forceRelease("a");
            second.lost().get(1, TimeUnit.MINUTES);
            eventually(() ->
                    registry.find("lockkeeper.lost").tag("reason", "forced").counter() != null);
            second.close();
            assertThat(registry.get("lockkeeper.held").gauge().value()).isZero();
            assertThat(registry.get("lockkeeper.acquire")
                            .tag("outcome", "acquired")
                            .timer()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("lockkeeper.acquire")
                            .tag("outcome", "timeout")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("lockkeeper.hold")
                            .tag("end", "released")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("lockkeeper.hold")
                            .tag("end", "lost")
                            .timer()
                            .count())
                    .isEqualTo(1);
        }
        for (Meter meter : registry.getMeters()) {
            assertThat(NAMES).contains(meter.getId().getName());
            assertThat(meter.getId().getTag("name")).isNull();
        }
    }

    @Test
    void aGrantThatGoesFromThreadToThreadIsALocalHandOff() throws Exception {
        try (Lockkeeper keeper = keeper(new LockkeeperMetrics(registry))) {
            ExclusiveHold first = keeper.lock("h").acquire();
            CompletableFuture<?>[] waiters = new CompletableFuture<?>[3];
            for (int i = 0; i < waiters.length; i++) {
                waiters[i] = keeper.lock("h").acquireAsync().thenAccept(ExclusiveHold::close);
            }
            eventually(() -> registry.get("lockkeeper.waiting").gauge().value() == 3);
            first.close();
            CompletableFuture.allOf(waiters).get(1, TimeUnit.MINUTES);
            assertThat(registry.get("lockkeeper.handoffs")
                            .tag("kind", "local")
                            .counter()
                            .count())
                    .isPositive();
        }
    }

    @Test
    void aWriteHoldThatBecomesAReadHoldCountsOnce() throws Exception {
        try (Lockkeeper keeper = keeper(new LockkeeperMetrics(registry))) {
            var lock = keeper.readWriteLock("rw");
            lock.downgrade(lock.writeLock().acquire()).close();
            assertThat(registry.get("lockkeeper.held").gauges()).allMatch(gauge -> gauge.value() == 0);
        }
    }

    @Test
    void namesWithoutAGroupHaveTheTagToo() throws Exception {
        try (Lockkeeper keeper = keeper(
                new LockkeeperMetrics(registry, resource -> resource.name().equals("a") ? "a" : ""))) {
            keeper.lock("a").acquire().close();
            keeper.lock("b").acquire().close();
        }
        assertThat(registry.get("lockkeeper.held").tag("name", "a").gauges()).hasSize(1);
        assertThat(registry.get("lockkeeper.held").tag("name", "none").gauges()).hasSize(1);
    }

    @Test
    void namesAreGroupedAndBounded() throws Exception {
        try (Lockkeeper keeper = keeper(new LockkeeperMetrics(registry, Resource::name))) {
            for (int i = 0; i < BoundedNames.MOST + 20; i++) {
                keeper.lock("n" + i).acquire().close();
            }
        }
        assertThat(registry.get("lockkeeper.held").gauges()).hasSize(BoundedNames.MOST + 1);
        assertThat(registry.get("lockkeeper.acquire")
                        .tag("name", BoundedNames.OTHER)
                        .timer()
                        .count())
                .isEqualTo(20);
    }

    /** The names that Prometheus gives a meter. */
    private static Set<String> prometheus() {
        Set<String> names = new TreeSet<>();
        for (String name : NAMES) {
            String flat = name.replace('.', '_');
            if (name.equals("lockkeeper.acquire") || name.equals("lockkeeper.hold")) {
                for (String part : new String[] {"_count", "_sum", "_max"}) {
                    names.add(flat + "_seconds" + part);
                }
            } else {
                boolean gauge = name.equals("lockkeeper.held") || name.equals("lockkeeper.waiting");
                names.add(gauge ? flat : flat + "_total");
            }
        }
        return names;
    }

    private static Set<String> named(Path file) throws Exception {
        Set<String> found = new TreeSet<>();
        Matcher matcher = Pattern.compile("lockkeeper_[a-z_]+").matcher(Files.readString(file));
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }

    @Test
    void theDashboardAndTheAlertsNameMetersThatExist() throws Exception {
        Path docs = Path.of("..", "docs");
        Set<String> dashboard = named(docs.resolve("grafana/lockkeeper.json"));
        assertThat(prometheus()).containsAll(dashboard);
        assertThat(prometheus()).containsAll(named(docs.resolve("metrics.md")));
        for (String name : NAMES) {
            String flat = name.replace('.', '_');
            assertThat(dashboard).as(name + " is shown").anyMatch(shown -> shown.startsWith(flat));
            assertThat(Files.readString(docs.resolve("metrics.md"))).contains("`" + name + "`");
        }
    }
}
