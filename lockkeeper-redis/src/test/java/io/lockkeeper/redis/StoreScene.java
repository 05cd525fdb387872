package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A server and several stores on it, below the engine: the test sends each request itself. */
final class StoreScene implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** The silence, in milliseconds, after which a claim is passed over. */
    static final long SILENCE = 3000;

    /** So far ahead of the clock a stamp may be. */
    private static final long AHEAD = 900;

    private static final AtomicInteger NAMES = new AtomicInteger();

    final RedisServer server;
    private final RedisBackend backend;
    private final Map<String, TestKeeper> keepers = new HashMap<>();
    private final Map<String, Store> stores = new HashMap<>();
    private final Set<Claim> lively = new LinkedHashSet<>();

    StoreScene() {
        this(RedisServer.start());
    }

    StoreScene(RedisServer server) {
        this.server = server;
        this.backend = RedisBackend.at(server.url());
    }

    static Resource lock() {
        return new Resource(Family.LOCK, "name " + NAMES.incrementAndGet());
    }

    static Resource semaphore() {
        return new Resource(Family.SEMAPHORE, "name " + NAMES.incrementAndGet());
    }

    static Claim claim(Resource resource, String id, Mode mode, Queueing queueing) {
        return claim(resource, id, mode, queueing, LEASE, 1);
    }

    static Claim claim(Resource resource, String id, Mode mode, Queueing queueing, Duration lease, int tokens) {
        return Claim.of(id, resource, mode, lease, new HolderInfo(id, "host", 7, ""), TIMEOUT)
                .withTokens(tokens)
                .withQueueing(queueing);
    }

    /** That keeper's access; it listens already. */
    Store store(String keeper) {
        lively.forEach(claim -> heardOf(claim, -AHEAD));
        return stores.computeIfAbsent(keeper, name -> {
            Store store = backend.open(keeper(name));
            Eventually.holds(() -> keeper(name).signalledAll.get() > 0);
            return store;
        });
    }

    TestKeeper keeper(String name) {
        return keepers.computeIfAbsent(name, TestKeeper::new);
    }

    Answer.Granted granted(String keeper, Claim claim) {
        Answer answer = store(keeper).attempt(claim);
        assertThat(answer).as(claim.id()).isInstanceOf(Answer.Granted.class);
        return (Answer.Granted) answer;
    }

    Answer.Wait waits(String keeper, Claim claim) {
        Answer answer = store(keeper).attempt(claim);
        assertThat(answer).as(claim.id()).isInstanceOf(Answer.Wait.class);
        return (Answer.Wait) answer;
    }

    Release.Outcome release(String keeper, Claim claim) {
        return release(keeper, claim, false);
    }

    Release.Outcome release(String keeper, Claim claim, boolean unanswered) {
        return store(keeper).release(new Release(claim.resource(), claim.id(), claim.lease(), unanswered, TIMEOUT));
    }

    /** Queues a claim whose keeper never falls silent, however slowly the test goes on. */
    Answer.Wait queues(String keeper, Claim claim) {
        Answer.Wait answer = waits(keeper, claim);
        lively(claim);
        return answer;
    }

    /** As if the keeper of that claim asked for it just before each request of this scene from now on. */
    void lively(Claim claim) {
        lively.add(claim);
        heardOf(claim, -AHEAD);
    }

    /** As if the keeper of that claim had been silent for this long. */
    void silent(Claim claim, long millis) {
        lively.remove(claim);
        heardOf(claim, millis);
    }

    private void heardOf(Claim claim, long millisAgo) {
        server.command(
                "EVAL",
                "local t = redis.call('TIME') "
                        + "redis.call('ZADD', KEYS[1], 'XX', t[1] * 1000 + math.floor(t[2] / 1000) - ARGV[1], ARGV[2])",
                "1",
                key(claim.resource()) + ":l",
                Long.toString(millisAgo),
                claim.id());
    }

    /** When the keeper of that claim was last heard of, in milliseconds of the server's clock. */
    double heard(Claim claim) {
        return Double.parseDouble((String) answer("ZSCORE", key(claim.resource()) + ":l", claim.id()));
    }

    /** The claims that queue, from the first to the last. */
    @SuppressWarnings("unchecked")
    List<String> queue(Resource resource) {
        return (List<String>) answer("ZRANGE", key(resource) + ":q", "0", "-1");
    }

    Object answer(String... words) {
        Object reply = server.command(words);
        assertThat(reply).as(String.join(" ", words)).isNotNull();
        return reply;
    }

    /** The server starts anew, empty; returns when all keepers have found it again. */
    void restart() {
        server.restart();
        stores.values()
                .forEach(store -> Eventually.holds(() -> {
                    try {
                        store.inspect(lock());
                        return true;
                    } catch (StoreUnavailableException broken) {
                        return false;
                    }
                }));
    }

    String key(Resource resource) {
        return backend.key(resource);
    }

    /** The server's clock in microseconds. */
    long micros() {
        List<?> time = (List<?>) answer("TIME");
        return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
    }

    @Override
    public void close() {
        stores.values().forEach(Store::close);
        backend.close();
        server.close();
    }
}
