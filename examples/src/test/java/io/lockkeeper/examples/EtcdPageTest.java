package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.etcd.EtcdServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/etcd.md shows runs. */
@Tag("etcd")
@Timeout(120)
final class EtcdPageTest {

    @Test
    void theExamplesRun() throws Exception {
        try (EtcdServer server = EtcdServer.start()) {
            EtcdSnippets.cluster(server.url() + "/shop");
            EtcdSnippets.fenced(server.url() + "/shop");
            assertThat(server.admin().keys("shop/orders/")).containsExactly("shop/orders/42");
        }
    }
}
