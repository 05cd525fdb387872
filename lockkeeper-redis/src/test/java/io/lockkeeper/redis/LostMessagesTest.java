package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.redis.RedisServer;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** D7, D8, D9: messages that are published and never received. No waiter waits for a lease to end, or forever. */
class LostMessagesTest {

    /** Far below the lease, which is 30 s. */
    private static final int SOON = 20;

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.to(server.port());
    private final Lockkeeper near = PatientKeepers.keeper().connect(server.url());
    private final Lockkeeper far = Lockkeeper.connect("redis://127.0.0.1:" + proxy.port());

    @AfterEach
    void end() {
        proxy.heal();
        far.close();
        near.close();
        proxy.close();
        server.close();
    }

    private void waits(Family family, String name) {
        Eventually.holds(() -> near.inspect(new Resource(family, name))
                        .map(ResourceState::waiting)
                        .orElse(0)
                == 1);
    }

    /** What is done while nothing is heard on subscriptions: they are killed again and again. */
    private void deaf(Runnable release) {
        server.command("CLIENT", "KILL", "TYPE", "pubsub");
        release.run();
        server.command("CLIENT", "KILL", "TYPE", "pubsub");
    }

    /** What is done while messages get lost on their way, so that the server believes they were heard. */
    private void unheard(Runnable release) {
        proxy.toClient(Rule.swallow());
        release.run();
        proxy.resetAll();
        proxy.heal();
    }

    @Test
    void aWaiterWithoutItsSubscriptionIsServed() throws Exception {
        for (int i = 0; i < 5; i++) {
            ExclusiveHold hold = near.lock("name").acquire();
            Future<ExclusiveHold> waiting = far.lock("name").acquireAsync();
            waits(Family.LOCK, "name");
            deaf(hold::close);
            waiting.get(SOON, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void aWaiterWhoseMessageIsLostOnItsWayIsServed() throws Exception {
        ExclusiveHold hold = near.lock("name").acquire();
        Future<ExclusiveHold> waiting = far.lock("name").acquireAsync();
        waits(Family.LOCK, "name");
        unheard(hold::close);

        waiting.get(SOON, TimeUnit.SECONDS).close();
    }

    @Test
    void aFairWaiterWhoseMessageIsLostIsServed() throws Exception {
        ExclusiveHold hold = near.lock("name").acquire();
        Future<ExclusiveHold> waiting = far.fairLock("name").acquireAsync();
        waits(Family.LOCK, "name");
        deaf(hold::close);

        waiting.get(SOON, TimeUnit.SECONDS).close();
    }

    @Test
    void aPermitThatComesBackWhileNothingIsHeardIsGivenOut() throws Exception {
        for (int i = 0; i < 2; i++) {
            Permit all = near.semaphore("pool", 2).acquire(2);
            Future<Permit> waiting = far.semaphore("pool", 2).acquireAsync(1);
            waits(Family.SEMAPHORE, "pool");
            Runnable release = all::close;
            if (i == 0) {
                deaf(release);
            } else {
                unheard(release);
            }
            waiting.get(SOON, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void aLatchThatOpensWhileNothingIsHeardLetsGo() throws Exception {
        for (int i = 0; i < 2; i++) {
            String name = "latch " + i;
            near.latch(name).trySetCount(1);
            Future<?> waiting = far.latch(name).awaitAsync();
            Eventually.holds(
                    () -> Long.valueOf(1).equals(server.command("SCARD", "lockkeeper:{latch:" + name + "}:w")));
            Runnable open = () -> near.latch(name).countDown();
            if (i == 0) {
                deaf(open);
            } else {
                unheard(open);
            }
            waiting.get(SOON, TimeUnit.SECONDS);
        }
    }

    /** Opened after the ban, for a keeper that listened before may queue until it notices that it no longer does. */
    @Test
    void aKeeperQueuesOnlyWhileItIsHeard() throws Exception {
        server.command("ACL", "SETUSER", "default", "-subscribe");
        try (Lockkeeper unheard = Lockkeeper.connect(server.url())) {
            ExclusiveHold hold = near.lock("name").acquire();
            Future<ExclusiveHold> waiting = unheard.lock("name").acquireAsync();
            long evaluated = server.commandStats().get("evalsha");
            Eventually.holds(() -> server.commandStats().get("evalsha") > evaluated + 10);
            assertThat((List<?>) server.command("KEYS", "*:q"))
                    .as("it polls, and has no place")
                    .isEmpty();
            hold.close();

            waiting.get(SOON, TimeUnit.SECONDS).close();
        }
    }
}
