package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StaleTokenException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guard for data in ZooKeeper admits a holder, and from then on no earlier one. */
@Timeout(120)
class ZookeeperFencingTest {

    private final String root = "/t" + UUID.randomUUID().toString().replace("-", "");
    private final String data = root + "/data";
    private final ZooKeeper client = Observer.connect(Servers.shared().address(), 30_000);
    private final ZookeeperFencing guard = ZookeeperFencing.in(client, root + "/fences");

    @AfterEach
    void close() throws Exception {
        client.close();
    }

    /** A hold with that token and id, as a store that repeats a token would give it. */
    private static ExclusiveHold hold(long token, String id) {
        return (ExclusiveHold) Proxy.newProxyInstance(
                ExclusiveHold.class.getClassLoader(),
                new Class<?>[] {ExclusiveHold.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "token" -> token;
                    case "id" -> id;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private void write(String text, ExclusiveHold hold) throws KeeperException {
        guard.write(data, hold, Op.setData(data, text.getBytes(StandardCharsets.UTF_8), -1));
    }

    private String read() throws Exception {
        return new String(client.getData(data, false, null), StandardCharsets.UTF_8);
    }

    private void makeData() throws Exception {
        client.create(root, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        client.create(data, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    @Test
    void anEqualTokenOfAnotherHoldIsRefused() throws Exception {
        makeData();
        write("first", hold(7, "a"));
        write("first again", hold(7, "a"));
        assertThatThrownBy(() -> write("second", hold(7, "b"))).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> guard.admit(data, hold(7, "b"))).isInstanceOf(StaleTokenException.class);
        assertThat(read()).isEqualTo("first again");
    }

    @Test
    void aStaleHolderIsRefusedOnceItsSuccessorWrote() throws Exception {
        makeData();
        try (Lockkeeper keeper = Lockkeeper.connect("zk://" + Servers.shared().address() + root + "/locks")) {
            ExclusiveHold stale = keeper.lock("till").acquire();
            keeper.forceRelease("till");
            ExclusiveHold next = keeper.lock("till").acquire();
            write("stale, but nobody came after it", stale);
            write("next", next);
            assertThatThrownBy(() -> write("stale", stale))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining(Long.toString(next.token()));
            assertThat(read()).isEqualTo("next");
            guard.admit("other data / of any name", stale);
        }
    }

    @Test
    void ifAChangeIsRefusedNothingIsAdmitted() throws Exception {
        makeData();
        guard.admit(data, hold(1, "a"));
        assertThatThrownBy(() -> guard.write(data, hold(2, "b"), Op.delete(root + "/missing", -1)))
                .isInstanceOf(KeeperException.NoNodeException.class);
        write("still the first", hold(1, "a"));
        assertThat(read()).isEqualTo("still the first");
        assertThatThrownBy(() -> guard.write(data, hold(2, "b"), Op.setData(data, new byte[0], 99)))
                .isInstanceOf(KeeperException.BadVersionException.class);
    }

    // Written whatever the version, a holder that read before its successor wrote would write after it.
    @Test
    void ofManyAtOnceTheGreatestStaysAndTokensInTheDataOnlyGrow() throws Exception {
        makeData();
        AtomicLong tokens = new AtomicLong();
        AtomicInteger refused = new AtomicInteger();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(CompletableFuture.runAsync(
                    () -> {
                        for (int n = 0; n < 50; n++) {
                            long token = tokens.incrementAndGet();
                            try {
                                write(Long.toString(token), hold(token, "h" + token));
                            } catch (StaleTokenException stale) {
                                refused.incrementAndGet();
                            } catch (KeeperException e) {
                                throw new AssertionError(e);
                            }
                        }
                    },
                    task -> new Thread(task, "writer").start()));
        }
        long last = 0;
        while (!CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new))
                .isDone()) {
            String text = read();
            long now = text.isEmpty() ? 0 : Long.parseLong(text);
            assertThat(now).isGreaterThanOrEqualTo(last);
            last = now;
        }
        writers.forEach(CompletableFuture::join);
        assertThat(read()).isEqualTo(Long.toString(tokens.get()));
        Stat stat = client.exists(data, false);
        assertThat(stat.getVersion()).isEqualTo((int) tokens.get() - refused.get());
    }

    @Test
    void aNodeThatIsNotAGuardsIsNotOverwritten() throws Exception {
        makeData();
        assertThatThrownBy(() -> ZookeeperFencing.in(client, root).admit("data", hold(1, "a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a folder of its own");
        assertThatThrownBy(() -> ZookeeperFencing.in(client, "fences/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'fences/'");
    }
}
