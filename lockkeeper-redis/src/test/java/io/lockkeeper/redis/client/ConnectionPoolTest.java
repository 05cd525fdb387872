package io.lockkeeper.redis.client;

import static io.lockkeeper.redis.client.TestScripts.TIMEOUT;
import static io.lockkeeper.redis.client.TestScripts.bytes;
import static io.lockkeeper.redis.client.TestScripts.count;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many threads, few connections: scripts that wait are sent together, each once, and each thread gets its own reply. */
class ConnectionPoolTest {

    private static final int THREADS = 32;
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int CALLS = 200;
    private static final long FAIR = CALLS * 3 / 10;

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.to(server.port());
    private final Redis redis = connect(4);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private Redis connect(int pool) {
        return TestClients.connect("redis://127.0.0.1:" + proxy.port() + "?pool=" + pool);
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        redis.close();
        proxy.close();
        server.close();
    }

    @Test
    void eachIsExecutedOnceAndGetsItsOwnAnswer() {
        List<CompletableFuture<Set<Object>>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String own = "own" + i;
            all.add(CompletableFuture.supplyAsync(
                    () -> {
                        Set<Object> replies = new HashSet<>();
                        for (long n = 1; n <= 100; n++) {
                            assertThat(redis.run(count(own), TIMEOUT)).isEqualTo(n);
                            replies.add(redis.run(count("shared"), TIMEOUT));
                        }
                        return replies;
                    },
                    threads));
        }
        Set<Object> replies = new HashSet<>();
        all.forEach(one -> replies.addAll(one.join()));

        assertThat(replies).hasSize(100 * THREADS);
        assertThat(server.command("GET", "shared")).isEqualTo(Integer.toString(100 * THREADS));
        assertThat(proxy.connections()).isLessThanOrEqualTo(2);
    }

    /**
     * Over calls, not over time: while all together make a number of calls, each makes its part. A thread that the machine does not run
     * for a while has less, whichever thread serves it; it does not hit one of them in every round.
     */
    @Test
    void eachThreadHasItsShare() {
        long[] shares = shares();
        for (int round = 1; round < 5 && shares[0] <= FAIR; round++) {
            shares = shares();
        }
        assertThat(shares[0]).as("the least of %s", Arrays.toString(shares)).isGreaterThan(FAIR);
    }

    /** How many of its calls each of many threads makes while all of them make {@link #CALLS} on average, the least first. */
    private long[] shares() {
        int enough = 64 * CALLS;
        AtomicLong sum = new AtomicLong();
        AtomicLongArray made = new AtomicLongArray(64);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            int number = i;
            all.add(CompletableFuture.runAsync(
                    () -> {
                        while (sum.get() < enough) {
                            redis.run(count("n"), TIMEOUT);
                            sum.incrementAndGet();
                            made.incrementAndGet(number);
                        }
                    },
                    threads));
        }
        all.forEach(CompletableFuture::join);

        long[] shares = new long[64];
        Arrays.setAll(shares, made::get);
        Arrays.sort(shares);
        return shares;
    }

    @Test
    void troubleOfOneIsNotTheOthers() {
        server.command("RPUSH", "list", "x");
        redis.run(count("n"), TIMEOUT);
        List<CompletableFuture<Object>> all = crowd(i -> redis.run(count(i % 4 == 0 ? "list" : "n"), TIMEOUT));

        for (int i = 0; i < THREADS; i++) {
            Object outcome = all.get(i).join();
            if (i % 4 == 0) {
                assertThat(outcome).isInstanceOf(RedisRefusedException.class);
            } else {
                assertThat(outcome).isInstanceOf(Long.class);
            }
        }
    }

    @Test
    void requestsOfAllKindsGetTheirTurn() {
        List<CompletableFuture<Object>> all = crowd(i -> switch (i % 4) {
            case 0 -> redis.scan(bytes("*"), TIMEOUT);
            case 1 -> redis.run(count("n"), 0, TIMEOUT);
            case 2 -> redis.runAll(TestScripts.counts("n", 3), TIMEOUT);
            default -> redis.run(count("n"), TIMEOUT);
        });

        assertThat(all).allSatisfy(one -> assertThat(one.join()).isNotInstanceOf(RuntimeException.class));
        assertThat(server.command("GET", "n")).isEqualTo(Integer.toString(THREADS / 4 * 5));
    }

    @Test
    void aServerThatForgotItsScriptsGetsThemFromEach() {
        redis.run(count("n"), TIMEOUT);
        server.command("SCRIPT", "FLUSH");

        assertThat(crowd(i -> redis.run(count("n"), TIMEOUT)))
                .allSatisfy(one -> assertThat(one.join()).isInstanceOf(Long.class));
        assertThat(server.command("GET", "n")).isEqualTo(Integer.toString(1 + THREADS));
    }

    @Test
    void whatIsCutOffIsToldToAllAndRepeatedByNobody() {
        redis.run(count("n"), TIMEOUT);
        AtomicLong answered = new AtomicLong(1);
        proxy.toClient(Rule.hold());
        List<CompletableFuture<Object>> all = crowd(i -> redis.run(count("n"), TIMEOUT.multipliedBy(4)));
        TestTimeouts.until(
                "some are under way",
                () -> proxy.connections() == 2 && !server.command("GET", "n").equals("1"));
        proxy.toClient(Rule.cutAfter(60));

        for (CompletableFuture<Object> one : all) {
            Object outcome = one.join();
            assertThat(outcome).isInstanceOfAny(Long.class, StoreUnavailableException.class);
            if (outcome instanceof Long) {
                answered.incrementAndGet();
            }
        }
        long executed = Long.parseLong(String.valueOf(server.command("GET", "n")));
        assertThat(executed).isBetween(answered.get(), 1L + THREADS);
    }

    @Test
    void whoseTimeIsUpInLineWasNotSent() {
        try (Redis narrow = connect(1)) {
            narrow.run(count("n"), TIMEOUT);
            proxy.toClient(Rule.hold());
            CompletableFuture<Object> busy =
                    CompletableFuture.supplyAsync(() -> narrow.run(count("n"), TIMEOUT.multipliedBy(4)), threads);
            TestTimeouts.until("its connection is in use", () -> "2".equals(server.command("GET", "n")));
            List<CompletableFuture<Object>> late = crowd(i -> narrow.run(count("n"), SHORT));

            assertThat(late)
                    .allSatisfy(one -> assertThat(one.join())
                            .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                            .hasMessageContaining("in use"));
            proxy.heal();
            assertThat(busy.join()).isEqualTo(2L);
            assertThat(narrow.run(count("n"), TIMEOUT)).isEqualTo(3L);
        }
    }

    /** They are sent together; some leave before the replies come, the first one among them. The others get their own. */
    @Test
    void aTimeoutAffectsNoNeighbour() {
        try (Redis narrow = connect(1)) {
            narrow.run(count("n"), TIMEOUT);
            for (int round = 0; round < 5; round++) {
                String own = "own" + round + "/";
                proxy.toClient(Rule.hold());
                long before = Long.parseLong(String.valueOf(server.command("GET", "n")));
                CompletableFuture<Object> first = CompletableFuture.supplyAsync(
                        () -> outcome(() -> narrow.run(count("n"), TIMEOUT.multipliedBy(4))), threads);
                TestTimeouts.until(
                        "the first is under way",
                        () -> !server.command("GET", "n").equals(Long.toString(before)));
                // Those are sent when the first has its reply, which is on its way already; theirs do not come for now.
                server.pause();
                List<CompletableFuture<Object>> all =
                        crowd(i -> narrow.run(count(own + i, 1 + i), i % 3 == 0 ? SHORT : Duration.ofSeconds(60)));
                proxy.toClient(Rule.pass());
                assertThat(first.join()).isInstanceOf(Long.class);
                for (int i = 0; i < THREADS; i += 3) {
                    assertThat(all.get(i).join()).isInstanceOf(StoreUnavailableException.class);
                }
                server.resume();
                for (int i = 0; i < THREADS; i++) {
                    if (i % 3 != 0) {
                        assertThat(all.get(i).join()).isEqualTo(1L + i);
                    }
                }
            }
        }
    }

    @Test
    void eachKeepsItsOwnLimitWhenTheServerHangs() {
        try (Redis narrow = connect(2)) {
            narrow.run(count("n"), TIMEOUT);
            server.pause();
            List<CompletableFuture<Object>> all =
                    crowd(i -> narrow.run(count("own" + i), i % 2 == 0 ? SHORT : Duration.ofSeconds(60)));
            for (int i = 0; i < THREADS; i += 2) {
                assertThat(all.get(i).join()).isInstanceOf(StoreUnavailableException.class);
            }
            server.resume();

            for (int i = 1; i < THREADS; i += 2) {
                assertThat(all.get(i).join()).isEqualTo(1L);
            }
        }
    }

    @Test
    void renewalsWaitForNoCaller() {
        redis.run(count("n"), TIMEOUT);
        proxy.toClient(Rule.hold());
        // Every connection that callers may have hangs.
        Duration patient = TIMEOUT.multipliedBy(4);
        List<CompletableFuture<Object>> callers = crowd(i -> switch (i % 3) {
            case 0 -> redis.run(count("n"), patient);
            case 1 -> redis.run(count("n"), 0, patient);
            default -> redis.runAll(TestScripts.counts("n", 2), patient);
        });
        TestTimeouts.until("all that callers may use are in use", () -> proxy.connections() == 3);
        proxy.toClient(Rule.pass());
        assertThat(redis.runFirst(TestScripts.counts("m", 3), TIMEOUT)).containsExactly(1L, 2L, 3L);

        assertThat(callers).allSatisfy(one -> assertThat(one.join()).isNotInstanceOf(RuntimeException.class));
    }

    @Test
    void closingTellsThoseWhoWait() {
        redis.run(count("n"), TIMEOUT);
        proxy.toClient(Rule.hold());
        List<CompletableFuture<Object>> all = crowd(i -> redis.run(count("n"), Duration.ofSeconds(60)));
        TestTimeouts.until(
                "some are under way",
                () -> proxy.connections() == 2 && !server.command("GET", "n").equals("1"));
        redis.close();
        proxy.closeAll();

        assertThat(all).allSatisfy(one -> assertThat(one.join()).isInstanceOf(StoreUnavailableException.class));
    }

    /** Connections break at any byte, and calls give up at any moment: who gets an answer gets its own. */
    @Test
    void noAnswerIsEverAnothersWhateverBreaks() {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong answers = new AtomicLong();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            all.add(CompletableFuture.runAsync(
                    () -> {
                        // Each counts in steps and from a beginning of its own, so each answer says whose it is.
                        long last = 0;
                        for (int n = 0; !over.get(); n++) {
                            Duration limit = n % 7 == 0 ? Duration.ofMillis(2) : Duration.ofMillis(500);
                            Object outcome = outcome(() -> redis.run(count("own" + number, 1000 + number), limit));
                            if (outcome instanceof Long counted) {
                                assertThat(counted % (1000 + number)).isZero();
                                assertThat(counted).isGreaterThan(last);
                                last = counted;
                                answers.incrementAndGet();
                            } else {
                                assertThat(outcome).isInstanceOf(StoreUnavailableException.class);
                            }
                        }
                    },
                    threads));
        }
        for (int cut = 0; cut < 40; cut++) {
            long before = answers.get();
            TestTimeouts.until("some are answered", () -> answers.get() > before + THREADS);
            switch (cut % 4) {
                case 0 -> proxy.toClient(Rule.cutAfter(1 + cut));
                case 1 -> proxy.resetAll();
                case 2 -> proxy.toServer(Rule.cutAfter(300 + 77 * cut));
                default -> proxy.toClient(Rule.delay(Duration.ofMillis(5)));
            }
            long under = answers.get();
            if (cut % 4 == 3) {
                TestTimeouts.until("some are answered late", () -> answers.get() > under + 4);
            }
            proxy.heal();
        }
        over.set(true);
        all.forEach(CompletableFuture::join);
    }

    private interface Work {
        Object with(int number);
    }

    private interface Step {
        Object make();
    }

    private static Object outcome(Step step) {
        try {
            return step.make();
        } catch (RuntimeException e) {
            return e;
        }
    }

    private List<CompletableFuture<Object>> crowd(Work work) {
        List<CompletableFuture<Object>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            all.add(CompletableFuture.supplyAsync(() -> outcome(() -> work.with(number)), threads));
        }
        return all;
    }
}
