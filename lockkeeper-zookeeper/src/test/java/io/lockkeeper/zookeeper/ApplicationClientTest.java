package io.lockkeeper.zookeeper;

import static io.lockkeeper.testkit.TestTimeouts.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that the application has made, users with passwords, and roots beside each other. */
@Timeout(120)
class ApplicationClientTest {

    private static final int SESSION_MILLIS = 6_000;

    private final String servers = Servers.shared().address();
    private final String root = "/t" + UUID.randomUUID().toString().replace("-", "");
    private final Layout layout = new Layout(root);
    private final Observer observer = Observer.at(servers);
    private final AtomicReference<ZooKeeper> client = new AtomicReference<>(Observer.connect(servers, SESSION_MILLIS));
    private final List<Lockkeeper> keepers = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        keepers.forEach(Lockkeeper::close);
        client.get().close();
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

    private Backend onClient() {
        return ZookeeperBackend.builder().client(client::get).root(root).build();
    }

    @Test
    void keepersOnOneClientExcludeEachOtherAndLeaveEachOthersNodesAlone() throws Exception {
        Lockkeeper first = keeper(onClient());
        Lockkeeper second = keeper(onClient());
        ExclusiveHold hold = first.lock("a").acquire();
        ExclusiveHold other = second.lock("b").acquire();
        assertThat(second.lock("a").tryAcquire()).isNull();
        // Longer than the session's timeout: both have looked at it several times.
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SESSION_MILLIS) * 3 / 2;
        until("several contacts were made", () -> System.nanoTime() - end > 0);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(other.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.remaining()).isLessThan(Duration.ofMillis(SESSION_MILLIS));
        first.close();
        until(
                "the closed keeper has left nothing",
                () -> observer.names(layout.queue(Resource.lock("a"))).isEmpty());
        assertThat(other.state()).isEqualTo(HoldState.HELD);
        assertThat(client.get().getState().isConnected()).isTrue();
    }

    @Test
    void anotherClientIsAnotherSession() throws Exception {
        Lockkeeper keeper = keeper(onClient());
        ExclusiveHold hold = keeper.lock("a").acquire();
        ZooKeeper old = client.getAndSet(Observer.connect(servers, SESSION_MILLIS));
        old.close();
        hold.lost().get(60, TimeUnit.SECONDS);
        try (ExclusiveHold next = keeper.lock("a").acquire()) {
            assertThat(next.token()).isGreaterThan(hold.token());
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
        }
    }

    @Test
    void withAUserNobodyElseReadsOrChangesTheNodes() throws Exception {
        Lockkeeper keeper = keeper(ZookeeperBackend.at("zk://shop:secret@" + servers + root));
        try (ExclusiveHold hold = keeper.lock("a").acquire()) {
            assertThatThrownBy(() -> observer.client().getChildren(layout.queue(Resource.lock("a")), false))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> observer.client().delete(layout.format(), -1))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> keeper(ZookeeperBackend.at("zk://shop:wrong@" + servers + root)))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("does not allow this user")
                    .hasMessageNotContaining("wrong");
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void rootsKnowNothingOfEachOther() throws Exception {
        Lockkeeper here = keeper(ZookeeperBackend.at("zk://" + servers + root));
        Lockkeeper there = keeper(ZookeeperBackend.at("zk://" + servers + root + "/inner"));
        try (ExclusiveHold first = here.lock("a").acquire();
                ExclusiveHold second = there.lock("a").acquire()) {
            assertThat(here.list("")).hasSize(1);
            assertThat(there.list("")).hasSize(1);
            assertThat(there.forceRelease("a")).isTrue();
            assertThat(first.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void aNewerLayoutIsRefused() throws Exception {
        keeper(ZookeeperBackend.at("zk://" + servers + root));
        observer.client().setData(layout.format(), "2".getBytes(java.nio.charset.StandardCharsets.US_ASCII), -1);
        assertThatThrownBy(() -> keeper(ZookeeperBackend.at("zk://" + servers + root)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("version '2'");
    }
}
