package io.lockkeeper.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/zookeeper.md shows runs. */
@Timeout(120)
final class ZookeeperPageTest {

    /** A client without Netty. */
    private static final class PlainConfig extends ZKClientConfig {
        @Override
        protected void handleBackwardCompatibility() {
            // Nothing is encrypted here.
        }
    }

    @Test
    void theExamplesRun() throws Exception {
        try (ZookeeperServer server = ZookeeperServer.start()) {
            ZookeeperSnippets.ensemble("zk://" + server.address() + "/shop");
            ZooKeeper client = new ZooKeeper(server.address(), 4_000, event -> {}, new PlainConfig());
            try {
                TestTimeouts.until("it is connected", () -> client.getState().isConnected());
                ZookeeperSnippets.own(client);
                ZookeeperSnippets.besideCurator("zk://" + server.address() + "/beside");
                client.create("/shop/till", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                try (Lockkeeper keeper = Lockkeeper.connect("zk://" + server.address() + "/shop")) {
                    ZookeeperSnippets.fencing(client, keeper.lock("till").acquire());
                }
                assertThat(client.getData("/shop/till", false, null)).isEqualTo("42".getBytes(UTF_8));
            } finally {
                client.close();
            }
        }
    }
}
