package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.StaticHostProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Beside Curator: in its session, and on the nodes of its mutexes. */
@Timeout(120)
class CuratorTest {

    private final String servers = Servers.shared().address();
    private final String random = UUID.randomUUID().toString().replace("-", "");
    private final String mutexes = "/m" + random;
    private final String root = "/t" + random;
    private final Layout layout = new Layout(root, mutexes);
    private final Observer observer = Observer.at(servers);
    private final CuratorFramework framework = CuratorFrameworkFactory.builder()
            .connectString(servers)
            .sessionTimeoutMs(6_000)
            .connectionTimeoutMs(15_000)
            .retryPolicy(new RetryForever(100))
            .build();
    private final List<Lockkeeper> keepers = new ArrayList<>();

    CuratorTest() {
        framework.start();
    }

    @AfterEach
    void close() {
        keepers.forEach(Lockkeeper::close);
        framework.close();
        observer.close();
    }

    private Lockkeeper keeper(Backend backend) {
        Lockkeeper keeper = Lockkeeper.builder()
                .lease(Duration.ofSeconds(30))
                .commandTimeout(Duration.ofSeconds(10))
                .open(backend);
        keepers.add(keeper);
        return keeper;
    }

    private Lockkeeper besideCurator() {
        return keeper(ZookeeperBackend.builder()
                .url("zk://" + servers + root)
                .locksBesideCurator(mutexes)
                .build());
    }

    private InterProcessMutex mutex(String name) {
        return new InterProcessMutex(framework, mutexes + "/" + name);
    }

    private List<String> nodes(String name) {
        return observer.names(mutexes + "/" + name);
    }

    private static <T> CompletableFuture<T> inThread(java.util.concurrent.Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    @Test
    void whatCuratorHoldsIsTakenAndAWaiterHasItAfterwards() throws Exception {
        Lockkeeper keeper = besideCurator();
        InterProcessMutex mutex = mutex("orders");
        mutex.acquire();
        assertThat(keeper.lock("orders").tryAcquire()).isNull();
        assertThat(keeper.readWriteLock("orders").readLock().tryAcquire()).isNull();
        assertThat(keeper.requests().tryLock("orders", "request-1", Duration.ofMinutes(1)))
                .isFalse();
        assertThat(keeper.inspect("orders").orElseThrow().grants()).hasSize(1);
        CompletableFuture<ExclusiveHold> waiter = keeper.lock("orders").acquireAsync();
        until("it waits", () -> nodes("orders").size() == 2);
        assertThat(waiter).isNotDone();
        mutex.release();
        try (ExclusiveHold hold = waiter.get(60, TimeUnit.SECONDS)) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(mutex.acquire(200, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(mutex.acquire(60, TimeUnit.SECONDS)).isTrue();
        mutex.release();
    }

    @Test
    void whatIsHeldHereIsTakenForCuratorAndItsWaiterHasItAfterwards() throws Exception {
        Lockkeeper keeper = besideCurator();
        InterProcessMutex mutex = mutex("orders");
        ExclusiveHold hold = keeper.lock("orders").acquire();
        assertThat(mutex.acquire(200, TimeUnit.MILLISECONDS)).isFalse();
        CompletableFuture<Boolean> waiter = inThread(() -> {
            boolean acquired = mutex.acquire(60, TimeUnit.SECONDS);
            mutex.release();
            return acquired;
        });
        until("it waits", () -> nodes("orders").size() == 2);
        assertThat(waiter).isNotDone();
        hold.close();
        assertThat(waiter.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void bothWaitInOneQueueInTheOrderOfTheirArrival() throws Exception {
        Lockkeeper keeper = besideCurator();
        ExclusiveHold hold = keeper.lock("orders").acquire();
        List<String> order = java.util.Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            waiters.add(inThread(() -> {
                if (number % 2 == 0) {
                    InterProcessMutex mutex = mutex("orders");
                    mutex.acquire();
                    order.add("curator " + number);
                    mutex.release();
                } else {
                    try (ExclusiveHold mine = keeper.fairLock("orders").acquire()) {
                        order.add("here " + number);
                        assertThat(mine.token()).isGreaterThan(hold.token());
                    }
                }
                return true;
            }));
            until("it waits", () -> nodes("orders").size() == number + 2);
        }
        hold.close();
        for (CompletableFuture<Boolean> waiter : waiters) {
            waiter.get(60, TimeUnit.SECONDS);
        }
        assertThat(order).containsExactly("curator 0", "here 1", "curator 2", "here 3");
    }

    @Test
    void threadsOfBothAreNeverInsideAtOnce() throws Exception {
        Lockkeeper keeper = besideCurator();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        List<CompletableFuture<Boolean>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean curator = i % 2 == 0;
            workers.add(inThread(() -> {
                InterProcessMutex mutex = mutex("orders");
                for (int n = 0; n < 50; n++) {
                    ExclusiveHold hold = curator ? null : keeper.lock("orders").acquire();
                    if (curator) {
                        mutex.acquire();
                    }
                    if (inside.incrementAndGet() > 1) {
                        together.incrementAndGet();
                    }
                    Thread.yield();
                    inside.decrementAndGet();
                    if (hold == null) {
                        mutex.release();
                    } else {
                        hold.close();
                    }
                }
                return true;
            }));
        }
        for (CompletableFuture<Boolean> worker : workers) {
            worker.get(90, TimeUnit.SECONDS);
        }
        assertThat(together).hasValue(0);
        assertThat(nodes("orders")).isEmpty();
    }

    @Test
    void namesThatAreNoNodeOfThatFolderAreRefusedInOneSentence() {
        Lockkeeper keeper = besideCurator();
        for (String name : List.of("a/b", "..", ".", "ä", "a b", "/")) {
            assertThatThrownBy(() -> keeper.lock(name).tryAcquire())
                    .as(name)
                    .isInstanceOf(ClaimRefusedException.class)
                    .hasMessageContaining("shares its locks with Curator");
        }
        assertThatThrownBy(() -> ZookeeperBackend.builder()
                        .url("zk://" + servers + "/shop/locks")
                        .locksBesideCurator("/shop")
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("give the store another root");
    }

    @Test
    void whatTheSessionHasThereIsReconciledAndListed() throws Exception {
        Lockkeeper keeper = besideCurator();
        ExclusiveHold hold =
                keeper.lock("orders").withLease(Duration.ofSeconds(3)).acquire();
        assertThat(keeper.list("ord"))
                .singleElement()
                .satisfies(state -> assertThat(state.resource()).isEqualTo(Resource.lock("orders")));
        observer.deleteHolders(layout.queue(Resource.lock("orders")));
        hold.lost().get(60, TimeUnit.SECONDS);
    }

    private ZooKeeper client() {
        try {
            return framework.getZookeeperClient().getZooKeeper();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void inTheSessionOfAFrameworkAnotherSessionIsANewOne() throws Exception {
        until("it is connected", () -> framework.getZookeeperClient().isConnected());
        Lockkeeper keeper = keeper(
                ZookeeperBackend.builder().client(this::client).root(root).build());
        ExclusiveHold hold = keeper.lock("a").acquire();
        ZooKeeper old = client();
        long session = old.getSessionId();
        ZooKeeper same = new ZooKeeper(
                servers,
                30_000,
                event -> {},
                session,
                old.getSessionPasswd(),
                false,
                new StaticHostProvider(new ConnectStringParser(servers).getServerAddresses()),
                new Clients.PlainConfig());
        until("the session is taken over", () -> same.getState().isConnected());
        same.close();
        hold.lost().get(60, TimeUnit.SECONDS);
        try (ExclusiveHold next = keeper.lock("a").acquire()) {
            assertThat(next.token()).isGreaterThan(hold.token());
            assertThat(client().getSessionId()).isNotEqualTo(session);
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
        }
    }
}
