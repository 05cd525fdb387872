package io.lockkeeper.redis;

import static io.lockkeeper.redis.StoreScene.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Claim.Queueing;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.SlotMove;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In a cluster one command renews many grants of a node, whatever their slots, and each grant has its own answer. */
@Tag("once")
class ClusterRenewalsTest {

    private static final Keys KEYS = new Keys("lockkeeper");

    private RedisCluster cluster;
    private final RenewalCount renewals = new RenewalCount();

    @BeforeEach
    void start() {
        cluster = RedisCluster.start(AppUser::onCluster);
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    private Lockkeeper connect(Duration lease) {
        return Lockkeeper.builder()
                .lease(lease)
                .commandTimeout(lease.dividedBy(3))
                .listener(renewals)
                .connect(cluster.url(AppUser.NAME, AppUser.PASSWORD));
    }

    private List<RedisServer> primaries() {
        return cluster.nodes().subList(0, 3);
    }

    private RedisServer otherThan(RedisServer node) {
        return primaries().get((primaries().indexOf(node) + 1) % 3);
    }

    private static long scripts(RedisServer node) {
        return node.commandStats().getOrDefault("evalsha", 0L);
    }

    private void renewed(int more) {
        int before = renewals.grants.get();
        Eventually.holds(() -> renewals.grants.get() >= before + more);
    }

    @Test
    @AboutTime
    void heldLocksOfANodeAreRenewedByFewCommands() throws Exception {
        try (Lockkeeper keeper = connect(Duration.ofSeconds(12))) {
            List<ExclusiveHold> holds = HeldLocks.hold(keeper, 1500);
            primaries().forEach(RedisServer::resetStats);
            renewals.grants.set(0);
            Eventually.holds(() -> renewals.grants.get() >= 3000);
            List<Long> commands =
                    primaries().stream().map(ClusterRenewalsTest::scripts).toList();
            System.out.println("1,500 held locks in a cluster: " + commands + " commands for " + renewals.grants.get()
                    + " renewals");

            // More than two rounds, if this thread was late.
            int rounds = (renewals.grants.get() + 1499) / 1500;
            assertThat(commands).allMatch(count -> count <= rounds * 4);
            HeldLocks.areHeld(holds);
        }
    }

    @Test
    @AboutTime
    void slotsThatMoveAreFollowedAndSoonCostNothingMore() throws Exception {
        int locks = 90;
        try (Lockkeeper keeper = connect(Duration.ofSeconds(6))) {
            List<ExclusiveHold> holds = HeldLocks.hold(keeper, locks);
            for (int i = 0; i < 3; i++) {
                int slot = cluster.slotOf(KEYS.key(new Resource(Family.LOCK, "held/" + i)));
                SlotMove move = cluster.beginMove(slot, otherThan(cluster.primaryOf(slot)));
                renewed(1);
                move.finish();
            }
            renewed(2 * locks);
            primaries().forEach(RedisServer::resetStats);
            renewed(locks);
            long commands =
                    primaries().stream().mapToLong(ClusterRenewalsTest::scripts).sum();
            System.out.println(locks + " held locks in a cluster, after slots moved: " + commands + " commands");

            assertThat(commands).isLessThan(locks / 4);
            HeldLocks.areHeld(holds);
            holds.forEach(ExclusiveHold::close);
            Eventually.holds(() -> keeper.list("").isEmpty());
        }
    }

    @Test
    @AboutTime
    @Tag("full")
    void aFailoverLosesNothingThatItsReplicaHas() throws Exception {
        int locks = 300;
        try (Lockkeeper keeper = connect(Duration.ofSeconds(18))) {
            List<ExclusiveHold> holds = HeldLocks.hold(keeper, locks);
            renewed(locks);
            RedisServer dead = primaries().get(1);
            dead.command("WAIT", "1", "5000");
            cluster.killAndAwaitPromotion(dead);
            renewed(2 * locks);

            HeldLocks.areHeld(holds);
        }
    }

    /** Claims on one node, each in another slot, which hold. */
    private List<Claim> claims(RedisStore store, int count) {
        List<Claim> claims = new ArrayList<>();
        Set<Integer> slots = new HashSet<>();
        RedisServer node = primaries().get(0);
        while (claims.size() < count) {
            Resource lock = StoreScene.lock();
            int slot = cluster.slotOf(KEYS.key(lock));
            if (cluster.primaryOf(slot) == node && slots.add(slot)) {
                Claim claim = claim(lock, "c" + claims.size(), Mode.EXCLUSIVE, Queueing.PLAIN);
                assertThat(store.attempt(claim)).isInstanceOf(Answer.Granted.class);
                claims.add(claim);
            }
        }
        return claims;
    }

    @Test
    void eachOfManyHasItsOwnAnswer() {
        try (Redis redis = Deployment.connect(cluster.url(AppUser.NAME, AppUser.PASSWORD))) {
            RedisStore store = new RedisStore(redis, KEYS, new TestKeeper("a"), 0);
            List<Claim> claims = claims(store, 6);
            RedisServer node = primaries().get(0);
            node.command("DEL", KEYS.key(claims.get(1).resource()));
            node.command("SET", KEYS.key(claims.get(2).resource()), "somebody");
            node.command("DEL", KEYS.key(claims.get(3).resource()));
            node.command("RPUSH", KEYS.key(claims.get(3).resource()), "x");
            int slot = cluster.slotOf(KEYS.key(claims.get(4).resource()));
            cluster.moveSlot(slot, otherThan(node));

            List<Renewal> answers = store.renew(claims, StoreScene.TIMEOUT);

            Renewal kept = new Renewal.Kept(StoreScene.LEASE, false);
            assertThat(answers.get(0)).isEqualTo(kept);
            assertThat(answers.get(1)).isEqualTo(new Renewal.Gone(Loss.Reason.EXPIRED));
            assertThat(answers.get(2)).isEqualTo(new Renewal.Gone(Loss.Reason.TAKEN));
            assertThat(answers.get(3)).isInstanceOf(Renewal.Unknown.class);
            assertThat(answers.get(4)).as("it is elsewhere").isEqualTo(kept);
            assertThat(answers.get(5)).isEqualTo(kept);
            store.close();
        }
    }

    @Test
    void theFirstMayBeElsewhere() {
        try (Redis redis = Deployment.connect(cluster.url(AppUser.NAME, AppUser.PASSWORD))) {
            RedisStore store = new RedisStore(redis, KEYS, new TestKeeper("a"), 0);
            List<Claim> claims = claims(store, 4);
            int slot = cluster.slotOf(KEYS.key(claims.get(0).resource()));
            cluster.moveSlot(slot, otherThan(primaries().get(0)));

            for (int i = 0; i < 2; i++) {
                assertThat(store.renew(claims, StoreScene.TIMEOUT))
                        .containsOnly(new Renewal.Kept(StoreScene.LEASE, false));
            }
            store.close();
        }
    }

    /** No server that is used here does so; others say it in these words. */
    @Test
    void aServerThatWantsAllKeysDeclaredIsRemembered() {
        AtomicInteger refused = new AtomicInteger();
        try (Redis redis = Deployment.connect(cluster.url(AppUser.NAME, AppUser.PASSWORD))) {
            RedisStore store = new RedisStore(strict(redis, refused), KEYS, new TestKeeper("a"), 0);
            List<Claim> claims = claims(store, 3);

            for (int i = 0; i < 3; i++) {
                assertThat(store.renew(claims, StoreScene.TIMEOUT))
                        .containsOnly(new Renewal.Kept(StoreScene.LEASE, false));
            }
            assertThat(refused).hasValue(1);
            store.close();
        }
    }

    /** Answers as a server does that knows which keys a script declared. */
    private static Redis strict(Redis redis, AtomicInteger refused) {
        byte[] word = "ERR script tried accessing undeclared key".getBytes(StandardCharsets.UTF_8);
        return (Redis) Proxy.newProxyInstance(
                Redis.class.getClassLoader(), new Class<?>[] {Redis.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("runFirst")) {
                        Redis.Call call = (Redis.Call) ((List<?>) arguments[0]).get(0);
                        if (call.keys().size() == 1) {
                            refused.incrementAndGet();
                            return List.of(List.of(0L, 1L, word, 2L, word, 3L, word));
                        }
                    }
                    try {
                        return method.invoke(redis, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
