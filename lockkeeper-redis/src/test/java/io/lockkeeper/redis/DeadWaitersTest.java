package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceState;
import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.LockProgram;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** D18: a dead waiter at the head of the queue delays the next by at most three seconds, and ten of them no longer. */
@AboutTime
class DeadWaitersTest {

    /** Three seconds of silence, and what a busy machine adds. Ten that are waited for one by one take thirty. */
    private static final Duration BOUND = Duration.ofSeconds(15);

    private final RedisServer server = RedisServer.start();
    private final Lockkeeper keeper = Lockkeeper.connect(server.url());
    private final Lockkeeper next = Lockkeeper.connect(server.url());
    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
        next.close();
        keeper.close();
        server.close();
    }

    private void waiting(int claims) {
        Eventually.holds(
                () -> keeper.inspect("name").map(ResourceState::waiting).orElse(0) == claims);
    }

    private void served(ExclusiveHold hold, Future<ExclusiveHold> waiting, String who) throws Exception {
        long begin = System.nanoTime();
        hold.close();
        waiting.get(BOUND.toMillis(), TimeUnit.MILLISECONDS).close();
        System.out.printf("%s: the next was served after %d ms%n", who, (System.nanoTime() - begin) / 1_000_000);
    }

    @Test
    @Execution(CONCURRENT)
    void aKilledHeadDelaysTheNextByThreeSecondsAtMost() throws Exception {
        dead("acquire name", next.lock("name"));
    }

    @Test
    @Execution(CONCURRENT)
    void aKilledFairHeadDelaysTheNextByThreeSecondsAtMost() throws Exception {
        dead("fair name", next.fairLock("name"));
    }

    private void dead(String command, DistributedLock lock) throws Exception {
        ExclusiveHold hold = keeper.lock("name").acquire();
        ChildJvm child = LockProgram.start(server.url(), Duration.ofSeconds(30));
        toClose.add(child);
        child.send(command);
        waiting(1);
        Future<ExclusiveHold> waiting = lock.acquireAsync();
        waiting(2);
        child.kill();

        served(hold, waiting, "a head killed");
    }

    @Test
    @Execution(CONCURRENT)
    void aPausedHeadDelaysTheNextByThreeSecondsAtMost() throws Exception {
        ExclusiveHold hold = keeper.lock("name").acquire();
        ChildJvm child = LockProgram.start(server.url(), Duration.ofSeconds(30));
        toClose.add(child);
        child.send("acquire name");
        waiting(1);
        Future<ExclusiveHold> waiting = next.lock("name").acquireAsync();
        waiting(2);
        child.pause();

        served(hold, waiting, "a head paused");
        child.resume();
        assertThat(LockProgram.token(child.receive()))
                .as("it comes back and is served")
                .isPositive();
    }

    @Test
    @Execution(CONCURRENT)
    void tenDeadWaitersDelayTheNextByThreeSeconds() throws Exception {
        FaultProxy proxy = FaultProxy.to(server.port());
        toClose.add(proxy);
        ExclusiveHold hold = keeper.lock("name").acquire();
        List<Lockkeeper> dead = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Lockkeeper each = Lockkeeper.builder()
                    .commandTimeout(Duration.ofMillis(200))
                    .connect("redis://127.0.0.1:" + proxy.port());
            dead.add(each);
            (i % 2 == 0 ? each.lock("name") : each.fairLock("name")).acquireAsync();
            waiting(i + 1);
        }
        Future<ExclusiveHold> waiting = next.lock("name").acquireAsync();
        waiting(11);
        Eventually.holds(() -> dead.stream().allMatch(this::isHeard));
        proxy.both(Rule.swallow());
        assertThat(dead).as("the server believes that they listen").allMatch(this::isHeard);

        served(hold, waiting, "ten heads silent");
        dead.parallelStream().forEach(Lockkeeper::close);
    }

    private boolean isHeard(Lockkeeper each) {
        return Long.valueOf(1).equals(server.command("PUBLISH", "lockkeeper:keeper:" + each.id(), ""));
    }
}
