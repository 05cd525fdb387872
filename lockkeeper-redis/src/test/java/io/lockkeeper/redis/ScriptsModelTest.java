package io.lockkeeper.redis;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.ModelProgram;
import io.lockkeeper.testkit.StoreModel;
import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.RedisWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scripts on a real server against the reference semantics in memory: random programs get the same answers from both,
 * and the same keepers are told. A failure names the seed and the steps up to it.
 */
class ScriptsModelTest {

    /** After a lull somebody may count as silent a second later. */
    private static final Duration NO_TIME = Duration.ofSeconds(1);

    private static final int TRIES = 20;

    private static final Keys KEYS = new Keys("model");
    private static final String MARK = "mark ";

    private static RedisServer server;
    private static Redis redis;
    private static RedisWire wire;
    private static int marks;
    private static final List<TestKeeper> keepers = new ArrayList<>();
    private static final List<RedisStore> stores = new ArrayList<>();

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        redis = Deployment.single("127.0.0.1", server.port());
        wire = server.connect();
        for (int i = 0; i < ModelProgram.KEEPERS; i++) {
            TestKeeper keeper = new TestKeeper("k" + i);
            keepers.add(keeper);
            stores.add(new RedisStore(redis, KEYS, keeper, 0));
        }
        Eventually.holds(() -> keepers.stream().allMatch(keeper -> keeper.signalledAll.get() > 0));
    }

    @AfterAll
    static void stop() {
        stores.forEach(RedisStore::close);
        redis.close();
        wire.close();
        server.close();
    }

    @Test
    void scriptsAnswerAsTheReferenceDoes() {
        run(1, 500);
    }

    @Test
    @Tag("full")
    void scriptsAnswerAsTheReferenceDoesInManyPrograms() {
        run(1_000_000, 40_000);
    }

    private static void run(long firstSeed, int programs) {
        for (long seed = firstSeed; seed < firstSeed + programs; seed++) {
            run(seed);
        }
    }

    /** Time does not pass in a program: one that took so long that somebody may count as silent is run again. */
    private static void run(long seed) {
        for (int tries = 1; ; tries++) {
            ModelProgram program = new ModelProgram(seed, "model " + seed);
            long begun = System.nanoTime();
            String failure = StoreModel.difference(program, new Scripts());
            boolean counts = System.nanoTime() - begun < NO_TIME.toNanos() || tries == TRIES;
            server.command("FLUSHALL");
            if (failure == null) {
                return;
            }
            if (counts) {
                throw new AssertionError("Seed " + seed + ": " + failure);
            }
        }
    }

    private static final class Scripts implements StoreModel.Subject {

        @Override
        public Store store(int keeper) {
            return stores.get(keeper);
        }

        @Override
        public void forget() {
            keepers.forEach(keeper -> keeper.signals.clear());
            keepers.forEach(keeper -> keeper.asked.clear());
        }

        @Override
        public Set<LeasedStore.Signal> told() {
            listen();
            Set<LeasedStore.Signal> told = new HashSet<>();
            for (TestKeeper keeper : keepers) {
                keeper.signals.stream()
                        .filter(resource -> !resource.name().startsWith(MARK))
                        .forEach(resource -> told.add(new LeasedStore.Signal(keeper.id(), resource)));
                keeper.asked.forEach(
                        ask -> told.add(new LeasedStore.Signal(keeper.id(), ask.resource(), ask.claimId())));
            }
            return told;
        }

        /** To the reference nothing happens; in the store all who wait were heard of a second ago. */
        @Override
        public Duration lull(Resource resource) {
            setBack(resource);
            return Duration.ZERO;
        }
    }

    /** Sets back when each was heard of, by less than makes anybody count as silent: to the reference nothing happens. */
    private static void setBack(Resource resource) {
        server.command(
                "EVAL",
                "local t = redis.call('TIME') "
                        + "for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do "
                        + "redis.call('ZADD', KEYS[1], t[1] * 1000 - 1000, id) end",
                "1",
                KEYS.key(resource) + ":l");
    }

    /** Returns when everything is heard that was published before: a mark on each channel comes after it. */
    private static void listen() {
        Resource mark = new Resource(Family.LOCK, MARK + marks++);
        List<String> words = new ArrayList<>(List.of(
                "EVAL", "for i = 2, #ARGV do redis.call('PUBLISH', ARGV[i], ARGV[1]) end", "0", KEYS.key(mark)));
        keepers.forEach(keeper -> words.add(KEYS.channels() + keeper.id()));
        Eventually.holds(() -> {
            wire.command(words.toArray(String[]::new));
            long again = System.nanoTime() + NO_TIME.toNanos();
            while (!keepers.stream().allMatch(keeper -> keeper.signals.contains(mark)) && System.nanoTime() < again) {
                LockSupport.parkNanos(50_000);
            }
            return keepers.stream().allMatch(keeper -> keeper.signals.contains(mark));
        });
    }
}
