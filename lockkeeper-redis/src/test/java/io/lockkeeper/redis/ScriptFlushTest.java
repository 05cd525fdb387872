package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.SingleHold;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisSentinels;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** A server that has forgotten the scripts gets them again, and executes each request once. */
class ScriptFlushTest {

    @Test
    @AboutTime
    @Execution(CONCURRENT)
    void everythingGoesOnAfterScriptFlush() throws Exception {
        RenewalCount renewals = new RenewalCount();
        try (RedisServer server = RedisServer.start();
                Lockkeeper keeper = Lockkeeper.builder()
                        .lease(Duration.ofSeconds(6))
                        .commandTimeout(Duration.ofSeconds(2))
                        .listener(renewals)
                        .connect(server.url())) {
            List<ExclusiveHold> holds = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                server.command("SCRIPT", "FLUSH");
                holds.add(keeper.lock("name " + i).acquire());
            }
            server.command("SCRIPT", "FLUSH");
            int before = renewals.grants.get();
            Eventually.holds(() -> renewals.grants.get() >= before + 40);
            HeldLocks.areHeld(holds);
            server.command("SCRIPT", "FLUSH");
            assertThat(keeper.inspect("name 3")).isPresent();
            server.command("SCRIPT", "FLUSH");
            holds.forEach(SingleHold::close);
            Eventually.holds(() -> keeper.list("").isEmpty());
            keeper.latch("latch").trySetCount(1);
            server.command("SCRIPT", "FLUSH");
            keeper.latch("latch").countDown();
            assertThat(keeper.latch("latch").count()).isZero();
        }
    }

    @Test
    @AboutTime
    @Execution(CONCURRENT)
    void everythingGoesOnAfterARestart() throws Exception {
        try (RedisServer server = RedisServer.start();
                Lockkeeper keeper =
                        Lockkeeper.builder().lease(Duration.ofMillis(1500)).connect(server.url())) {
            ExclusiveHold hold = keeper.lock("name").acquire();
            server.restart();

            Eventually.holds(() -> hold.state() == HoldState.LOST);
            ExclusiveHold again = keeper.lock("name").acquire();
            assertThat(again.token()).isGreaterThan(hold.token());
            again.close();
        }
    }

    @Test
    @Execution(CONCURRENT)
    void everythingGoesOnAfterAFailover() throws Exception {
        // Both replicas have the grant: either may be promoted.
        try (RedisSentinels group = RedisSentinels.start();
                Lockkeeper keeper = Lockkeeper.builder()
                        .commandTimeout(Duration.ofSeconds(10))
                        .connect(group.url() + "?minReplicas=2")) {
            ExclusiveHold hold = keeper.lock("name").acquire();
            RedisServer promoted = group.failover();
            group.awaitCalm();
            // Else a release over a connection that the failover cut would not know what became of it.
            Eventually.holds(() -> keeper.inspect("name").isPresent());
            promoted.command("SCRIPT", "FLUSH");
            promoted.resetStats();

            assertThat(hold.release()).isEqualTo(ReleaseOutcome.RELEASED);
            keeper.lock("name").acquire().close();
            assertThat(promoted.commandStats()).containsKey("eval");
            Eventually.holds(() -> keeper.inspect("name").isEmpty());
        }
    }

    @Test
    @Execution(CONCURRENT)
    void aReplicatedGrantIsGivenOnceAfterScriptFlush() throws Exception {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica =
                        RedisServer.options().replicaOf(primary.port()).start();
                Lockkeeper keeper = Lockkeeper.builder()
                        .commandTimeout(Duration.ofSeconds(30))
                        .connect(primary.url() + "?minReplicas=1")) {
            Eventually.holds(() -> primary.replicasOnline() == 1);
            keeper.lock("warm").acquire().close();
            primary.command("SCRIPT", "FLUSH");
            primary.resetStats();
            try (SingleHold hold = keeper.lock("name").acquire()) {
                assertThat(primary.commandStats()).containsEntry("eval", 1L);
                assertThat(replica.command("EXISTS", "lockkeeper:{lock:name}")).isEqualTo(1L);
            }
        }
    }
}
