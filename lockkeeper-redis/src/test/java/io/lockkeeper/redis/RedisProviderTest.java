package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.KnownStores;
import org.junit.jupiter.api.Test;

/** What the core module says of this one to those who do not have it is what the provider says itself. */
class RedisProviderTest {

    private final RedisProvider provider = new RedisProvider();

    @Test
    void theCoreListsThisModuleAsItIs() {
        assertThat(KnownStores.listed())
                .filteredOn(store -> store.name().equals(provider.name()))
                .singleElement()
                .satisfies(store -> {
                    assertThat(store.artifact()).isEqualTo("lockkeeper-redis");
                    assertThat(store.schemes()).isEqualTo(provider.schemes());
                    assertThat(store.capabilities()).isEqualTo(provider.capabilities());
                });
    }

    @Test
    void theProviderSaysWhatASingleServerCan() {
        try (RedisBackend backend = RedisBackend.at("redis://localhost:1")) {
            assertThat(provider.capabilities()).isEqualTo(backend.capabilities());
        }
    }

    @Test
    void onTheClassPathItIsNamedWithoutItsArtifact() {
        assertThat(Capability.FAIR.offeredBy())
                .isEqualTo(
                        "etcd (io.lockkeeper:lockkeeper-etcd), memory, Redis, SQL (io.lockkeeper:lockkeeper-jdbc) and ZooKeeper"
                                + " (io.lockkeeper:lockkeeper-zookeeper)");
    }
}
