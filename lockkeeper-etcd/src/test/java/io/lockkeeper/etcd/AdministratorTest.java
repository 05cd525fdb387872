package io.lockkeeper.etcd;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Hold;
import io.lockkeeper.HoldState;
import io.lockkeeper.LockLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Loss;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.etcd.EtcdProxy;
import io.lockkeeper.testkit.etcd.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What administrators do to a server, and how servers are set up: leases revoked, history compacted, quotas, gateways, proxies. */
@Tag("etcd")
@Timeout(120)
class AdministratorTest {

    private static EtcdServer server;

    private final String prefix = "t" + UUID.randomUUID().toString().replace("-", "");
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private <T extends AutoCloseable> T closing(T resource) {
        opened.add(resource);
        return resource;
    }

    private Lockkeeper keeper() {
        return keeper(server.address());
    }

    private Lockkeeper keeper(String address) {
        return closing(Lockkeeper.builder()
                .lease(Duration.ofSeconds(30))
                .commandTimeout(Duration.ofSeconds(5))
                .connect("etcd://" + address + "/" + prefix));
    }

    private List<String> places(String name) {
        return server.admin().keys(prefix + "/q/lock/" + name + "/");
    }

    private boolean isPlaceOn(String lease, String name) {
        return places(name).stream().anyMatch(key -> server.admin().leaseOf(key).equals(lease));
    }

    /** Which lease a keeper has. */
    private String leaseOf(Lockkeeper keeper) throws InterruptedException {
        String name = UUID.randomUUID().toString();
        try (ExclusiveHold hold = keeper.lock(name).acquire()) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            return server.admin().leaseOf(places(name).get(0));
        }
    }

    @Test
    void whenItsLeaseIsRevokedEveryHolderIsToldAndNothingSaysYes() throws Exception {
        Lockkeeper first = keeper();
        Lockkeeper second = keeper();
        DistributedLock lock = first.lock("nested");
        lock.lock();
        List<Hold> many = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            many.add(first.lock("many/" + i).acquire());
        }
        ExclusiveHold theirs = second.lock("theirs").acquire();
        server.admin().revoke(leaseOf(first));
        ExclusiveHold taken = second.lock("nested").acquire();
        for (Hold hold : many) {
            assertThat(hold.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.SESSION_ENDED);
        }
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThat(lock.tryLock()).isFalse();
        assertThat(theirs.state()).isEqualTo(HoldState.HELD);
        taken.close();
        lock.lock();
        assertThat(lock.currentHold().token()).isGreaterThan(taken.token());
        lock.unlock();
    }

    // Clients of etcd have given a lock to a waiter whose own lease had ended: its key was gone, and so was the one
    // before it.
    @Test
    void aWaiterWhoseLeaseIsRevokedQueuesAgainAndKeepsItsTimeout() throws Exception {
        Lockkeeper holder = keeper();
        Lockkeeper waiting = keeper();
        String lease = leaseOf(waiting);
        ExclusiveHold hold = holder.lock("wanted").acquire();
        CompletableFuture<ExclusiveHold> patient = waiting.lock("wanted").acquireAsync();
        CompletableFuture<ExclusiveHold> hasty = waiting.lock("wanted").tryAcquireAsync(Duration.ofSeconds(2));
        until("it waits", () -> isPlaceOn(lease, "wanted"));
        server.admin().revoke(lease);
        until("it has another place", () -> places("wanted").size() == 2 && !isPlaceOn(lease, "wanted"));
        assertThat(hasty.get(60, TimeUnit.SECONDS)).isNull();
        hold.close();
        try (ExclusiveHold next = patient.get(60, TimeUnit.SECONDS)) {
            assertThat(places("wanted")).hasSize(1);
            assertThat(next.token()).isGreaterThan(hold.token());
        }
        until("no place is left", () -> places("wanted").isEmpty());
    }

    @Test
    void noLockIsGivenToAWaiterWhoseLeaseEndedTogetherWithTheHolders() throws Exception {
        Lockkeeper holder = keeper();
        Lockkeeper waiting = keeper();
        List<String> leases = List.of(leaseOf(waiting), leaseOf(holder));
        ExclusiveHold hold = holder.lock("both").acquire();
        CompletableFuture<ExclusiveHold> waiter = waiting.lock("both").acquireAsync();
        until("it waits", () -> places("both").size() == 2);
        leases.forEach(server.admin()::revoke);
        try (ExclusiveHold next = waiter.get(60, TimeUnit.SECONDS)) {
            assertThat(places("both")).hasSize(1);
            assertThat(next.token()).isGreaterThan(hold.token());
            assertThat(hold.lost().get(60, TimeUnit.SECONDS).reason()).isEqualTo(Loss.Reason.SESSION_ENDED);
        }
    }

    @Test
    void aCompactionDuringAWaitDoesNoHarm() throws Exception {
        Lockkeeper first = keeper();
        Lockkeeper second = keeper();
        ExclusiveHold hold = first.lock("a").acquire();
        CompletableFuture<ExclusiveHold> waiter = second.lock("a").acquireAsync();
        until("it waits", () -> places("a").size() == 2);
        server.admin().put("other", "1");
        server.admin().compact();
        hold.close();
        waiter.get(60, TimeUnit.SECONDS).close();
        first.lock("a").acquire().close();
    }

    @Test
    void aServerThatIsKilledAndStartedAgainHasAllThatWasHeld() throws Exception {
        try (EtcdServer own = EtcdServer.start()) {
            Lockkeeper first = keeper(own.address());
            Lockkeeper second = keeper(own.address());
            ExclusiveHold hold = first.lock("a").acquire();
            CompletableFuture<ExclusiveHold> waiter = second.lock("a").acquireAsync();
            until("it waits", () -> own.admin().keys(prefix + "/q/lock/a/").size() == 2);
            own.restart();
            until("it is confirmed", () -> hold.state() == HoldState.HELD && Answers.shows(first, "a"));
            assertThat(waiter).isNotDone();
            hold.close();
            waiter.get(60, TimeUnit.SECONDS).close();
            closeNow();
        }
    }

    @Test
    void aClientThatIsCutOffLosesItsHoldBeforeTheNextOneHas() throws Exception {
        FaultProxy proxy = closing(FaultProxy.to(server.port()));
        Lockkeeper cutOff = closing(Lockkeeper.builder()
                .lease(Duration.ofSeconds(3))
                .commandTimeout(Duration.ofSeconds(1))
                .connect("etcd://127.0.0.1:" + proxy.port() + "/" + prefix));
        Lockkeeper other = keeper();
        ExclusiveHold hold = cutOff.lock("a").acquire();
        CompletableFuture<HoldState> seen = other.lock("a").acquireAsync().thenApply(next -> {
            HoldState state = hold.state();
            next.close();
            return state;
        });
        proxy.both(FaultProxy.Rule.hold());
        assertThat(seen.get(60, TimeUnit.SECONDS)).isEqualTo(HoldState.LOST);
        proxy.heal();
        cutOff.lock("a").acquire().close();
    }

    @Test
    void aServerWithoutSpaceSaysSoInOneSentenceAndHoldersStayUntilThereIsSome() throws Exception {
        long quota = 16 * 1024 * 1024;
        try (EtcdServer small = EtcdServer.options().quota(quota).start()) {
            Lockkeeper keeper = keeper(small.address());
            ExclusiveHold hold = keeper.lock("held").acquire();
            String value = "x".repeat(1024 * 1024);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 40; i++) {
                            small.admin().put("filler/" + i, value);
                        }
                    })
                    .hasMessageContaining("space exceeded");
            assertThatThrownBy(() -> keeper.lock("next").tryAcquire())
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("NOSPACE")
                    .hasMessageContaining("etcdctl alarm disarm");
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            hold.close();
            small.admin().delete("filler/");
            small.admin().compact();
            small.ctl("defrag");
            small.ctl("alarm", "disarm");
            keeper.lock("next").acquire().close();
            keeper.lock("held").acquire().close();
            closeNow();
        }
    }

    @Test
    void aServerWhoseGatewayIsSwitchedOffIsToldInOneSentence() throws Exception {
        try (EtcdServer closed =
                EtcdServer.options().argument("--enable-grpc-gateway=false").start()) {
            assertThatThrownBy(() -> keeper(closed.address()))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining(closed.address())
                    .hasMessageContaining("--enable-grpc-gateway");
        }
    }

    @Test
    void theProxyThatSpeaksGrpcHasNoGatewayAndIsToldInOneSentence() {
        try (EtcdProxy proxy = EtcdProxy.grpc(server)) {
            assertThatThrownBy(() -> keeper(proxy.address()))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining(proxy.address())
                    .hasMessageContaining("grpc-proxy");
        }
    }

    @Test
    void theProxyThatPassesBytesOnIsAServerLikeOthers() throws Exception {
        try (EtcdProxy proxy = EtcdProxy.gateway(server)) {
            Lockkeeper behind = keeper(proxy.address());
            Lockkeeper direct = keeper();
            ExclusiveHold hold = behind.lock("a").acquire();
            CompletableFuture<ExclusiveHold> waiter = direct.lock("a").acquireAsync();
            until("it waits", () -> places("a").size() == 2);
            hold.close();
            waiter.get(60, TimeUnit.SECONDS).close();
            closeNow();
        }
    }

    /** Before a server ends on which they depend. */
    private void closeNow() throws Exception {
        close();
        opened.clear();
    }
}
