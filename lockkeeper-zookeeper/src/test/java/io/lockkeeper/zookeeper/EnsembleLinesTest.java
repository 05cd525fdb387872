package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.contract.AboutTime;
import io.lockkeeper.testkit.zookeeper.ZookeeperEnsemble;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three servers, the lines between them, and an administrator at another server than the clients'. */
@Timeout(180)
class EnsembleLinesTest {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Layout LAYOUT = new Layout("/shop");

    private static ZookeeperEnsemble ensemble;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void start() {
        ensemble = ZookeeperEnsemble.startWithLines();
    }

    @AfterAll
    static void stop() {
        ensemble.close();
    }

    @AfterEach
    void close() throws Exception {
        ensemble.healLines();
        ensemble.awaitAll();
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private Lockkeeper keeper(String servers, Duration lease) {
        Lockkeeper keeper = Lockkeeper.builder()
                .lease(lease)
                .commandTimeout(Duration.ofSeconds(10))
                .connect("zk://" + servers + "/shop");
        opened.add(keeper);
        return keeper;
    }

    private Observer administrator(ZookeeperServer at) {
        Observer observer = Observer.at(at.address());
        opened.add(observer);
        return observer;
    }

    /** What became of the first hold at the moment at which another keeper got the lock. */
    private static HoldState stateWhenServed(CompletableFuture<ExclusiveHold> waiter, ExclusiveHold first)
            throws Exception {
        CompletableFuture<HoldState> state = waiter.thenApply(next -> {
            assertThat(next.token()).isGreaterThan(first.token());
            return first.state();
        });
        return state.get(90, TimeUnit.SECONDS);
    }

    // A client that counts the answers of such a server believes in its locks after the leader has ended its session.
    @Test
    @AboutTime
    void aHolderAtAFollowerThatIsCutOffKnowsOfItsLossBeforeAnotherHolds() throws Exception {
        ZookeeperServer follower = ensemble.follower();
        ExclusiveHold hold = keeper(follower.address(), LEASE).lock("cut").acquire();
        CompletableFuture<ExclusiveHold> waiter =
                keeper(ensemble.leader().address(), LEASE).lock("cut").acquireAsync();
        ZooKeeper reader = Observer.connect(follower.address(), 60_000);
        opened.add(reader::close);
        String folder = LAYOUT.queue(Resource.lock("cut"));
        until(
                "both are in the queue",
                () -> administrator(follower).names(folder).size() == 2);

        ensemble.cutOff(follower);

        HoldState[] whenServed = new HoldState[1];
        List<?>[] stillRead = new List<?>[1];
        CompletableFuture<Void> served = waiter.thenAccept(next -> {
            whenServed[0] = hold.state();
            try {
                stillRead[0] = reader.getChildren(folder, false);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        served.get(90, TimeUnit.SECONDS);
        assertThat(whenServed[0]).isEqualTo(HoldState.LOST);
        assertThat(stillRead[0])
                .as("the follower still answers, from what it knew")
                .hasSize(2);
        assertThat(waiter.join().token()).isGreaterThan(hold.token());
        assertThat(waiter.join().state()).isEqualTo(HoldState.HELD);
    }

    @Test
    @AboutTime
    void aHolderThatIsCutOffKnowsOfItsLossBeforeAnotherHolds() throws Exception {
        FaultProxy proxy = FaultProxy.to(ensemble.follower().port());
        opened.add(proxy);
        ExclusiveHold hold =
                keeper("127.0.0.1:" + proxy.port(), LEASE).lock("alone").acquire();
        CompletableFuture<ExclusiveHold> waiter =
                keeper(ensemble.addresses(), LEASE).lock("alone").acquireAsync();
        proxy.both(FaultProxy.Rule.swallow());
        assertThat(stateWhenServed(waiter, hold)).isEqualTo(HoldState.LOST);
        proxy.heal();
    }

    @Test
    void aSessionThatAnAdministratorEndsAtAnotherServerIsToldToItsHolderAndItsWaiterQueuesAgain() throws Exception {
        ZookeeperServer leader = ensemble.leader();
        Lockkeeper first = keeper(ensemble.follower().address(), Duration.ofSeconds(30));
        Lockkeeper second = keeper(ensemble.addresses(), Duration.ofSeconds(30));
        ExclusiveHold hold = first.lock("ended").acquire();
        ExclusiveHold theirs = second.lock("other").acquire();
        CompletableFuture<ExclusiveHold> waiter = first.lock("other").acquireAsync();
        Observer administrator = administrator(leader);
        String folder = LAYOUT.queue(Resource.lock("other"));
        until("it waits", () -> administrator.names(folder).size() == 2);
        List<String> before = administrator.names(folder);

        administrator.endSession(LAYOUT, first.id(), leader.address());

        assertThat(hold.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.SESSION_ENDED);
        until(
                "it has another place",
                () -> administrator.names(folder).size() == 2
                        && !administrator.names(folder).equals(before));
        assertThat(theirs.state()).isEqualTo(HoldState.HELD);
        theirs.close();
        waiter.get(60, TimeUnit.SECONDS).close();
    }

    @Test
    void nodesThatAnAdministratorDeletesAtAnotherServerAreLostAndMadeAgain() throws Exception {
        Lockkeeper first = keeper(ensemble.follower().address(), LEASE);
        Lockkeeper second = keeper(ensemble.addresses(), LEASE);
        ExclusiveHold hold = first.lock("deleted").acquire();
        CompletableFuture<ExclusiveHold> waiter = second.lock("deleted").acquireAsync();
        Observer administrator = administrator(ensemble.leader());
        String folder = LAYOUT.queue(Resource.lock("deleted"));
        until("it waits", () -> administrator.names(folder).size() == 2);

        administrator.deleteWaiters(folder);
        until("it waits again", () -> administrator.names(folder).size() == 2);
        assertThat(waiter).isNotDone();
        administrator.deleteHolders(folder);

        assertThat(hold.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.TAKEN);
        try (ExclusiveHold next = waiter.get(60, TimeUnit.SECONDS)) {
            assertThat(next.token()).isGreaterThan(hold.token());
        }
    }
}
