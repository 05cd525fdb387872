package io.lockkeeper.examples;

import io.lockkeeper.testkit.TestTimeouts;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
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
            } finally {
                client.close();
            }
        }
    }
}
