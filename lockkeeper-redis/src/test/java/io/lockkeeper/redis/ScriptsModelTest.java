package io.lockkeeper.redis;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.TokenPolicy;
import io.lockkeeper.redis.ModelProgram.Step;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.RedisWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scripts on a real server against the reference semantics in memory: random programs get the same answers from both,
 * and the same keepers are told. A failure names the seed and the steps up to it.
 */
class ScriptsModelTest {

    private static final long NOW = 1_000_000_000_000L;

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
            String failure = failure(program);
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

    private static @Nullable String failure(ModelProgram program) {
        Comparison comparison = new Comparison(program.resource);
        for (int i = 0; i < program.steps.size(); i++) {
            Optional<String> difference = comparison.step(program.steps.get(i));
            if (difference.isPresent()) {
                return difference.get()
                        + program.steps.subList(0, i + 1).stream()
                                .map(Step::toString)
                                .collect(Collectors.joining("\n", " after\n", ""));
            }
        }
        return null;
    }

    /** Sets back when each was heard of, by less than makes anybody count as silent: to the reference nothing happens. */
    private static void lull(Resource resource) {
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

    /** One program on both. */
    private static final class Comparison {

        private final Resource resource;
        private final LeasedStore model = new LeasedStore("model", TokenPolicy.COUNTER);
        /** The token that a claim got, of which it must not get another, by claim. */
        private final Map<String, Long> tokens = new HashMap<>();

        private long newest;

        Comparison(Resource resource) {
            this.resource = resource;
        }

        Optional<String> step(Step step) {
            RedisStore store = stores.get(step.keeper());
            Claim claim = step.claim();
            keepers.forEach(keeper -> keeper.signals.clear());
            keepers.forEach(keeper -> keeper.asked.clear());
            Optional<String> difference = switch (step.kind()) {
                case ATTEMPT -> attempts(claim, model.attempt("k" + step.keeper(), claim, NOW), store.attempt(claim));
                case RELEASE, RELEASE_UNANSWERED -> {
                    Release release = new Release(
                            resource,
                            claim.id(),
                            claim.lease(),
                            step.kind() == ModelProgram.Kind.RELEASE_UNANSWERED,
                            claim.timeout());
                    tokens.remove(claim.id());
                    yield same(model.release("k" + step.keeper(), release, NOW), store.release(release));
                }
                case RENEW ->
                    same(
                            kindOf(model.renew(List.of(claim), NOW).get(0)),
                            kindOf(store.renew(List.of(claim), claim.timeout()).get(0)));
                case NARROW -> {
                    Mode to = claim.mode() instanceof Mode.Permits permits
                            ? Mode.permits(Math.min(step.number(), permits.count()), permits.of())
                            : Mode.SHARED;
                    yield same(model.narrow(claim, to, NOW), store.narrow(claim, to));
                }
                case FORCE -> {
                    tokens.clear();
                    yield same(model.forceRelease(resource, NOW), store.forceRelease(resource));
                }
                case RESIZE -> {
                    if (claim.mode() instanceof Mode.Permits) {
                        model.resize(resource, step.number(), NOW);
                        store.resize(resource, step.number());
                    }
                    yield Optional.empty();
                }
                case LULL -> {
                    lull(resource);
                    yield Optional.empty();
                }
                case INSPECT -> Optional.empty();
            };
            listen();
            return difference.or(this::signals).or(this::states);
        }

        private Optional<String> attempts(Claim claim, Answer expected, Answer answer) {
            if (expected instanceof Answer.Granted wanted && answer instanceof Answer.Granted granted) {
                Long had = tokens.putIfAbsent(claim.id(), granted.token());
                boolean right = had == null ? granted.token() > newest : granted.token() == had;
                newest = Math.max(newest, granted.token() + granted.tokens() - 1);
                return right && granted.tokens() <= wanted.tokens()
                        ? Optional.empty()
                        : Optional.of("token " + granted + " after " + had + ", newest " + newest);
            }
            return same(kindOf(expected), kindOf(answer));
        }

        private Optional<String> signals() {
            return same(new HashSet<>(model.drainSignals()), told());
        }

        private static Set<LeasedStore.Signal> told() {
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

        private Optional<String> states() {
            // The reference takes the occasion to signal, so a copy of it is asked; the script for looking changes
            // nothing.
            return same(
                    view(model.copy().inspect(resource, NOW)),
                    view(stores.get(0).inspect(resource)));
        }

        private static Object kindOf(Answer answer) {
            if (answer instanceof Answer.Wait wait) {
                return "wait, asked " + wait.recalled();
            }
            return answer instanceof Answer.Refused refused ? refused : answer.getClass();
        }

        private static Object kindOf(Renewal renewal) {
            return renewal instanceof Renewal.Kept kept ? "kept, others wait " + kept.othersWait() : renewal.getClass();
        }

        private static Optional<String> view(Optional<ResourceState> state) {
            return state.map(found -> found.waiting() + " wait, size " + found.permits() + ", held by "
                    + found.grants().stream()
                            .map(grant -> grant.holder() + (grant.shared() ? " shared " : " ") + grant.permits())
                            .sorted()
                            .toList());
        }

        private static Optional<String> same(Object expected, Object found) {
            return expected.equals(found)
                    ? Optional.empty()
                    : Optional.of("expected " + expected + " but the server said " + found);
        }
    }
}
