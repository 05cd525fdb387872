package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Store;
import io.lockkeeper.testkit.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads and late answers after a connection was lost: what is asked, in which order, and what counts. */
@Timeout(120)
class ReconnectTest {

    private static final Duration SHORT = Duration.ofMillis(300);

    private final String root = "/t" + random();
    private final Layout layout = new Layout(root);
    private final FaultProxy proxy = FaultProxy.to(Servers.shared().port());
    private final Observer observer = Observer.at(Servers.shared().address());
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Resource lock = Resource.lock("a");

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        proxy.close();
        observer.close();
    }

    private static String random() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** A real client that records, in order, what is asked of it and when it was connected. */
    private static final class Recorder extends ZooKeeper {

        final List<String> calls = new CopyOnWriteArrayList<>();

        Recorder(String servers) throws IOException {
            super(servers, 20_000, event -> {}, new Clients.PlainConfig());
            register(event -> {
                if (event.getType() == Watcher.Event.EventType.None && event.getState() == KeeperState.SyncConnected) {
                    calls.add("connected");
                }
            });
        }

        @Override
        public void sync(String path, AsyncCallback.VoidCallback answer, Object context) {
            calls.add("sync");
            super.sync(path, answer, context);
        }

        @Override
        public void getData(String path, Watcher watcher, AsyncCallback.DataCallback answer, Object context) {
            calls.add("read");
            super.getData(path, watcher, answer, context);
        }

        @Override
        public void getChildren(String path, Watcher watcher, AsyncCallback.ChildrenCallback answer, Object context) {
            calls.add("read");
            super.getChildren(path, watcher, answer, context);
        }

        @Override
        public void getEphemerals(String prefix, AsyncCallback.EphemeralsCallback answer, Object context) {
            calls.add("read");
            super.getEphemerals(prefix, answer, context);
        }
    }

    private Claim claim(Duration timeout) {
        return Claim.of(
                        random(),
                        lock,
                        Mode.EXCLUSIVE,
                        Duration.ofSeconds(30),
                        new HolderInfo("k", "h", 1, ""),
                        timeout)
                .withQueueing(Claim.Queueing.PLAIN);
    }

    private List<String> nodes() {
        return observer.names(layout.queue(lock));
    }

    @Test
    void onEachConnectionTheFirstReadHasASyncBeforeIt() throws Exception {
        try (Recorder client = new Recorder("127.0.0.1:" + proxy.port())) {
            until("it is connected", () -> client.getState().isConnected());
            Store store = ZookeeperBackend.builder()
                    .client(() -> client)
                    .root(root)
                    .build()
                    .open(new TestKeeper(random(), Duration.ofSeconds(20)));
            opened.add(store);
            for (int i = 0; i < 3; i++) {
                LiveSession session = ((ZookeeperStore) store).session();
                long before = session.wire.connection();
                proxy.resetAll();
                until("it is connected again", () -> session.wire.connection() > before);
                // What was made before was made on the connection that is gone, or is answered as lost.
                int from = client.calls.lastIndexOf("connected");
                until("an attempt is answered", () -> {
                    Claim claim = claim(Duration.ofSeconds(10)).withQueueing(Claim.Queueing.NEVER);
                    try {
                        boolean granted = store.attempt(claim) instanceof Answer.Granted;
                        store.release(new Release(lock, claim.id(), claim.lease(), true, claim.timeout()));
                        return granted;
                    } catch (StoreUnavailableException lost) {
                        return false;
                    }
                });
                List<String> since = client.calls.subList(from, client.calls.size());
                assertThat(since.indexOf("sync")).as(since.toString()).isBetween(1, since.indexOf("read"));
            }
        }
    }

    @Test
    void anAnswerOnAnotherConnectionThanTheReadWasMadeOnCountsAsLost() throws Exception {
        try (ZooKeeper client = Observer.connect("127.0.0.1:" + proxy.port(), 30_000)) {
            Wire wire = new Wire(client, ZooDefs.Ids.OPEN_ACL_UNSAFE);
            Deadline until = Deadline.in(Duration.ofSeconds(60));
            proxy.toServer(FaultProxy.Rule.hold());
            List<CompletableFuture<?>> reads =
                    List.of(wire.read("/", null), wire.children("/", null), wire.ephemerals("/"));
            wire.connected();
            proxy.heal();
            for (CompletableFuture<?> read : reads) {
                assertThatThrownBy(() -> Wire.answer(read, until)).isInstanceOf(StoreUnavailableException.class);
            }
            assertThat(Wire.answer(wire.children("/", null), until)).contains("zookeeper");
        }
    }

    // Nobody repeats a release that the store was told of, if its answer comes; and what is known here is not looked
    // for.
    @Test
    void aCreationThatIsAnsweredAfterItsClaimWasEndedIsUndone() {
        TestKeeper keeper = new TestKeeper(random());
        Store store =
                ZookeeperBackend.at("zk://127.0.0.1:" + proxy.port() + root).open(keeper);
        opened.add(store);
        Claim before = claim(Duration.ofSeconds(10));
        assertThat(store.attempt(before)).isInstanceOf(Answer.Granted.class);
        store.release(new Release(lock, before.id(), before.lease(), false, before.timeout()));
        proxy.toClient(FaultProxy.Rule.hold());
        Claim late = claim(SHORT);
        assertThatThrownBy(() -> store.attempt(late)).isInstanceOf(StoreUnavailableException.class);
        until("it was executed", () -> nodes().size() == 1);
        assertThatThrownBy(() -> store.release(new Release(lock, late.id(), late.lease(), true, SHORT)))
                .isInstanceOf(StoreUnavailableException.class);
        proxy.heal();
        until("it is undone", () -> nodes().isEmpty());
        assertThat(store.attempt(late)).isInstanceOf(Answer.Refused.class);
    }
}
