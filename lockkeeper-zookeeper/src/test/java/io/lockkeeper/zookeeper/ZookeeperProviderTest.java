package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.KnownStores;
import org.junit.jupiter.api.Test;

/** What the core module says of this one to those who do not have it is what the provider says itself. */
class ZookeeperProviderTest {

    private final ZookeeperProvider provider = new ZookeeperProvider();

    @Test
    void theCoreListsThisModuleAsItIs() {
        assertThat(KnownStores.listed())
                .filteredOn(store -> store.name().equals(provider.name()))
                .singleElement()
                .satisfies(store -> {
                    assertThat(store.artifact()).isEqualTo("lockkeeper-zookeeper");
                    assertThat(store.schemes()).isEqualTo(provider.schemes());
                    assertThat(store.capabilities()).isEqualTo(provider.capabilities());
                });
    }

    @Test
    void onTheClassPathItIsNamedWithoutItsArtifact() {
        assertThat(Capability.FAIR.offeredBy())
                .isEqualTo("etcd (io.lockkeeper:lockkeeper-etcd), memory, Redis (io.lockkeeper:lockkeeper-redis),"
                        + " SQL (io.lockkeeper:lockkeeper-jdbc) and ZooKeeper");
    }
}
