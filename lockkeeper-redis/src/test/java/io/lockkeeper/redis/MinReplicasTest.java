package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.SingleHold;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** A primary with two replicas, and grants that count only after replicas have confirmed them. */
class MinReplicasTest {

    private static final String KEY = "lockkeeper:{lock:name}";

    private final RedisServer primary = RedisServer.start();
    private final RedisServer one =
            RedisServer.options().replicaOf(primary.port()).start();
    private final RedisServer two =
            RedisServer.options().replicaOf(primary.port()).start();

    @BeforeEach
    void calm() {
        Eventually.holds(() -> primary.replicasOnline() == 2);
    }

    @AfterEach
    void end() {
        two.close();
        one.close();
        primary.close();
    }

    /** Replicas have a while to answer, so that those which are to answer surely do. */
    private Lockkeeper open(int minReplicas) {
        return open(minReplicas, Duration.ofSeconds(6));
    }

    private Lockkeeper open(int minReplicas, Duration limit) {
        return Lockkeeper.builder()
                .lease(Duration.ofMinutes(1))
                .commandTimeout(limit)
                .open(RedisBackend.builder()
                        .url(primary.url())
                        .minReplicas(minReplicas)
                        .build());
    }

    @Test
    @Execution(CONCURRENT)
    void aGrantIsOnTheReplicasWhenItIsGivenOut() throws Exception {
        try (Lockkeeper keeper = open(2)) {
            for (int i = 0; i < 50; i++) {
                try (SingleHold hold = keeper.lock("name").acquire()) {
                    assertThat(one.command("EXISTS", KEY)).isEqualTo(1L);
                    assertThat(two.command("EXISTS", KEY)).isEqualTo(1L);
                }
            }
        }
    }

    @Test
    @Execution(CONCURRENT)
    void theFirstGrantHasTheWholeTimeoutForReplicas() throws Exception {
        try (FaultProxy slow = FaultProxy.to(primary.port());
                RedisServer far = RedisServer.options().replicaOf(slow.port()).start();
                Lockkeeper keeper = open(3)) {
            // That its link is up is not enough: only whom the primary knows to be online can confirm.
            Eventually.holds(() -> "up".equals(far.info("replication").get("master_link_status")));
            Eventually.holds(() -> primary.replicasOnline() == 3);
            slow.both(FaultProxy.Rule.delay(Duration.ofMillis(450)));
            keeper.lock("name").acquire().close();
            for (int i = 0; i < 2; i++) {
                try (Lockkeeper fresh = open(3)) {
                    fresh.lock("name").acquire().close();
                }
            }
        }
    }

    @Test
    @Execution(CONCURRENT)
    void aUserWithoutWaitIsRefusedAndNothingIsLeft() {
        primary.command("ACL", "SETUSER", "hasty", "on", ">secret", "~*", "&*", "+@all", "-wait");
        RedisBackend backend = RedisBackend.builder()
                .url(primary.url("hasty", "secret"))
                .minReplicas(1)
                .build();
        try (Lockkeeper keeper =
                Lockkeeper.builder().commandTimeout(Duration.ofSeconds(6)).open(backend)) {
            assertThatThrownBy(() -> keeper.lock("name").tryAcquire())
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("wait")
                    .hasMessageContaining("ACL");
            assertThat(primary.command("EXISTS", KEY)).isEqualTo(0L);
        }
    }

    @Test
    @Execution(CONCURRENT)
    void aRenewalOnAServerThatIsNoPrimaryAnyMoreSaysSo() {
        Resource resource = new Resource(Family.LOCK, "name");
        try (Redis redis = Deployment.connect(one.url())) {
            RedisStore store = new RedisStore(redis, new Keys("lockkeeper"), new TestKeeper("k"), 0);
            Claim held = StoreScene.claim(resource, "held", Mode.EXCLUSIVE, Claim.Queueing.NEVER);
            primary.command("SET", KEY, "held", "PX", "60000");
            Eventually.holds(() -> one.command("EXISTS", KEY).equals(1L));
            assertThat(store.renew(List.of(held), Duration.ofSeconds(5)).get(0))
                    .isInstanceOfSatisfying(
                            Renewal.Unknown.class,
                            unknown -> assertThat(unknown.failure()).hasMessageContaining("is a replica"));
            store.close();
        }
    }

    @Test
    @Execution(CONCURRENT)
    void tooFewReplicasAreRefusedAndNothingIsLeft() {
        try (Lockkeeper keeper = open(3)) {
            assertThatThrownBy(() -> keeper.lock("name").tryAcquire())
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("Only 2 of the 3 replicas")
                    .hasMessageContaining("lower minReplicas");
            assertThat(primary.command("EXISTS", KEY)).isEqualTo(0L);
            assertThat(keeper.inspect("name")).isEmpty();
        }
    }

    /** The server refuses the undoing, so what was granted is still there: that is not to be called given back. */
    @Test
    @Execution(CONCURRENT)
    void anUndoingThatIsRefusedIsRepeatedUntilItIsDone() throws Exception {
        primary.command("ACL", "SETUSER", "tied", "on", ">secret", "~*", "&*", "+@all", "-del");
        RedisBackend backend = RedisBackend.builder()
                .url(primary.url("tied", "secret"))
                .minReplicas(2)
                .build();
        two.pause();
        try (Lockkeeper keeper = Lockkeeper.builder()
                .lease(Duration.ofMinutes(10))
                .commandTimeout(Duration.ofSeconds(2))
                .open(backend)) {
            assertThat(keeper.lock("name").tryAcquire()).isNull();
            assertThat(primary.command("EXISTS", KEY)).isEqualTo(1L);
            primary.command("ACL", "SETUSER", "tied", "+del");
            Eventually.holds(() -> primary.command("EXISTS", KEY).equals(0L));
        } finally {
            two.resume();
        }
    }

    @Test
    @Execution(CONCURRENT)
    void aHungReplicaIsNotCountedAndWhatItMissesIsUndone() throws Exception {
        try (Lockkeeper both = open(2, Duration.ofSeconds(2));
                Lockkeeper either = open(1)) {
            two.pause();
            assertThatThrownBy(() -> both.lock("name").tryAcquire()).isInstanceOf(ClaimRefusedException.class);
            assertThat(primary.command("EXISTS", KEY)).isEqualTo(0L);
            try (SingleHold hold = either.lock("name").tryAcquire()) {
                assertThat(hold).as("one of two is enough here").isNotNull();
            }
            two.resume();
            Eventually.holds(() -> {
                try (SingleHold hold = both.lock("name").tryAcquire()) {
                    return hold != null;
                } catch (ClaimRefusedException notYet) {
                    return false;
                }
            });
        }
    }

    @Test
    @Execution(CONCURRENT)
    void aConfirmationWaitsForReplicasToo() throws Exception {
        try (Lockkeeper keeper = open(2, Duration.ofSeconds(2));
                Lockkeeper other = open(0)) {
            ExclusiveHold hold = other.lock("name").acquire();
            Future<ExclusiveHold> waiting = keeper.lock("name").acquireAsync();
            Eventually.holds(
                    () -> other.inspect("name").map(ResourceState::waiting).orElse(0) == 1);
            two.pause();
            hold.close();

            assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(ClaimRefusedException.class);
            assertThat(other.inspect("name")).as("neither held nor waited for").isEmpty();
            two.resume();
        }
    }

    // A3: the grant is undone, the server is late with the undoing, and meanwhile the claim is asked for again.
    @Test
    @Execution(CONCURRENT)
    void aLateUndoingFreesNoLaterGrant() throws Exception {
        try (FaultProxy network = FaultProxy.to(primary.port());
                RedisBackend backend = RedisBackend.builder()
                        .url("redis://127.0.0.1:" + network.port())
                        .minReplicas(2)
                        .build();
                Lockkeeper keeper = Lockkeeper.builder()
                        .lease(Duration.ofMinutes(1))
                        .commandTimeout(Duration.ofSeconds(2))
                        .open(backend);
                Lockkeeper other = Lockkeeper.connect(primary.url())) {
            // The scripts are known to the server from here on.
            keeper.lock("name").acquire().close();
            primary.command("CONFIG", "SET", "slowlog-log-slower-than", "0");
            primary.command("CONFIG", "SET", "slowlog-max-len", "100000");
            String release = new String(Scripts.RELEASE.digest(), StandardCharsets.US_ASCII);
            network.toServer(FaultProxy.Rule.holdFirst(release));
            two.pause();
            Future<ExclusiveHold> asked = keeper.lock("name").acquireAsync();
            Eventually.holds(() -> network.undelivered() > 0);
            two.resume();
            Eventually.holds(() -> primary.replicasOnline() == 2);

            ExclusiveHold hold = asked.get(60, TimeUnit.SECONDS);
            long before = executed(release);
            network.heal();
            Eventually.holds(() -> executed(release) > before);

            assertThat(other.lock("name").tryAcquire()).isNull();
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Eventually.holds(() -> other.inspect("name").isEmpty());
        }
    }

    private long executed(String digest) {
        List<?> log = (List<?>) Objects.requireNonNull(primary.command("SLOWLOG", "GET", "100000"));
        return log.stream()
                .filter(entry -> ((List<?>) ((List<?>) entry).get(3)).contains(digest))
                .count();
    }

    @Test
    @Execution(CONCURRENT)
    void permitsAndReadersAreUndoneAsWell() {
        try (Lockkeeper keeper = open(3, Duration.ofSeconds(2))) {
            assertThatThrownBy(() -> keeper.semaphore("pool", 2).tryAcquire(2))
                    .isInstanceOf(ClaimRefusedException.class);
            assertThatThrownBy(() -> keeper.readWriteLock("name").readLock().tryAcquire())
                    .isInstanceOf(ClaimRefusedException.class);
            assertThat(keeper.inspect(new Resource(Family.SEMAPHORE, "pool"))).isEmpty();
            assertThat(keeper.inspect("name")).isEmpty();
        }
    }

    // D2: locks that are held do not depend on replicas; renewals do not wait for them.
    @Test
    @AboutTime
    @Execution(CONCURRENT)
    void heldLocksSurviveAHungReplica() throws Exception {
        survive(600, Duration.ofSeconds(9), 4);
    }

    @Test
    @AboutTime
    @Execution(CONCURRENT)
    @Tag("full")
    void sixThousandHeldLocksSurviveAMinuteOfAHungReplica() throws Exception {
        survive(6000, Duration.ofSeconds(30), 6);
    }

    private void survive(int locks, Duration lease, int rounds) throws Exception {
        RenewalCount renewals = new RenewalCount();
        try (RedisBackend backend =
                        RedisBackend.builder().url(primary.url()).minReplicas(1).build();
                Lockkeeper keeper = Lockkeeper.builder()
                        .lease(lease)
                        .commandTimeout(lease.dividedBy(3))
                        .listener(renewals)
                        .open(backend)) {
            List<ExclusiveHold> holds = new ArrayList<>();
            for (int i = 0; i < locks; i++) {
                holds.add(keeper.lock("held " + i).acquire());
            }
            two.pause();
            primary.resetStats();
            int before = renewals.grants.get();
            // So many renewals that all of it lasts longer than any lease that was not renewed.
            TestTimeouts.until(
                    "all were renewed " + rounds + " times",
                    lease.multipliedBy(rounds + 3),
                    () -> renewals.grants.get() - before >= rounds * locks);
            HeldLocks.areHeld(holds);
            assertThat(primary.commandStats()).as("renewals do not wait").doesNotContainKey("wait");
            try (SingleHold hold = keeper.lock("fresh").tryAcquire()) {
                assertThat(hold).isNotNull();
            }
            two.resume();
        }
    }
}
