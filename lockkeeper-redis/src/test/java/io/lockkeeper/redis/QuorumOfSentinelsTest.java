package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.quorum.QuorumBuilder;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisSentinels;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three Sentinel groups, each with one vote. */
@Tag("once")
@Timeout(180)
@AboutTime
final class QuorumOfSentinelsTest {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final String NAME = "orders/42";

    private final AtomicInteger renewals = new AtomicInteger();
    private final KeeperListener counting = new KeeperListener() {
        @Override
        public void renewed(KeeperEvent.Renewed event) {
            renewals.incrementAndGet();
        }
    };
    private List<RedisSentinels> groups;
    private Lockkeeper keeper;
    private Lockkeeper other;

    @BeforeEach
    void start() {
        groups = Stream.generate(() -> RedisSentinels.start(AppUser::on))
                .limit(3)
                .toList();
        keeper = open();
        other = open();
    }

    @AfterEach
    void stop() {
        keeper.close();
        other.close();
        groups.forEach(RedisSentinels::close);
    }

    private Lockkeeper open() {
        QuorumBuilder quorum =
                Quorum.builder().nodeTimeout(Duration.ofSeconds(1)).longestLease(LEASE);
        groups.forEach(group -> quorum.member(RedisBackend.at(group.url(AppUser.NAME, AppUser.PASSWORD))));
        return Lockkeeper.builder().lease(LEASE).listener(counting).open(quorum.build());
    }

    @Test
    void aFailoverOfOneGroupLosesNoLock() throws Exception {
        TestTimeouts.until("all three vote", () -> groups.stream().allMatch(QuorumOfSentinelsTest::votes));
        RedisSentinels failing = groups.get(0);
        failing.cutReplication();
        ExclusiveHold hold = keeper.lock(NAME).acquire();
        // A majority was enough to have it; a slower member counts once a renewal has found the grant there. Only of
        // all
        // three one may forget.
        TestTimeouts.until("all three count", () -> renewals.get() >= 2);
        assertThat(failing.replicas())
                .as("the replicas know nothing of it")
                .allSatisfy(replica -> assertThat(isHeldAt(replica)).isFalse());

        RedisServer promoted = failing.failover();
        failing.mendReplication();

        // For longer than the promoted one may not vote, so that also its vote is seen not to be for another.
        long start = System.nanoTime();
        while (System.nanoTime() - start < LEASE.multipliedBy(2).toNanos()) {
            assertThat(tried(other)).isNull();
            // On a busy machine a renewal may come late, and is made up for.
            assertThat(hold.state()).isNotEqualTo(HoldState.LOST);
        }
        TestTimeouts.until("the grant was taken there again", () -> isHeldAt(promoted));
        TestTimeouts.until("it is held", () -> hold.state() == HoldState.HELD);
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
        try (ExclusiveHold next = other.lock(NAME).acquire()) {
            assertThat(next.token()).isGreaterThan(hold.token());
        }

        // By now its vote counts again: it makes a majority with one of the others.
        groups.get(1).servers().forEach(RedisServer::pause);
        try (ExclusiveHold next = keeper.lock(NAME).acquire()) {
            assertThat(next.token()).isGreaterThan(hold.token());
        } finally {
            groups.get(1).servers().forEach(RedisServer::resume);
        }
    }

    private static @Nullable ExclusiveHold tried(Lockkeeper keeper) throws InterruptedException {
        try {
            return keeper.lock(NAME).tryAcquire(Duration.ofMillis(100));
        } catch (StoreUnavailableException tooFewAnswered) {
            return null;
        }
    }

    /** Of the seconds that it tells, one may have just begun, and one is not counted. */
    private static boolean votes(RedisSentinels group) {
        String uptime = group.primary().info("server").getOrDefault("uptime_in_seconds", "0");
        return Long.parseLong(uptime) - 1 > LEASE.toSeconds();
    }

    private static boolean isHeldAt(RedisServer server) {
        return Long.valueOf(1).equals(server.command("EXISTS", "lockkeeper:{lock:" + NAME + "}"));
    }
}
