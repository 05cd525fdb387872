package io.lockkeeper.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.quorum.Quorum;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Messages recommend stores that exist, and say where those are that are not on the class path. */
class KnownStoresTest {

    @Test
    void everyArtifactThatIsNamedIsAModuleOfThisProject() throws Exception {
        String modules = Files.readString(Path.of("../pom.xml"));
        assertThat(KnownStores.listed())
                .filteredOn(store -> store.artifact() != null)
                .isNotEmpty()
                .allSatisfy(store -> {
                    assertThat(modules).contains("<module>" + store.artifact() + "</module>");
                    assertThat(store.schemes())
                            .allSatisfy(scheme ->
                                    assertThat(KnownStores.artifactFor(scheme)).isEqualTo(store.artifact()));
                });
        assertThat(KnownStores.artifactFor("consul")).isNull();
    }

    @Test
    void theQuorumIsListedWithWhatItCan() {
        Backend quorum = Quorum.of(MemoryBackend.create(), MemoryBackend.create(), MemoryBackend.create());
        assertThat(KnownStores.listed())
                .filteredOn(store -> store.name().equals("quorum"))
                .singleElement()
                .satisfies(store ->
                        assertThat(store.capabilities()).containsExactlyInAnyOrderElementsOf(quorum.capabilities()));
    }

    @Test
    void providersOnTheClassPathAndTheOtherModulesAreNamedInOrder() {
        assertThat(Capability.LEASES.offeredBy())
                .isEqualTo(
                        "memory, quorum, Redis (io.lockkeeper:lockkeeper-redis) and SQL (io.lockkeeper:lockkeeper-jdbc)");
        assertThat(Capability.SHARED.offeredBy())
                .isEqualTo(
                        "etcd (io.lockkeeper:lockkeeper-etcd), file, memory, quorum, Redis (io.lockkeeper:lockkeeper-redis), SQL (io.lockkeeper:lockkeeper-jdbc)"
                                + " and ZooKeeper (io.lockkeeper:lockkeeper-zookeeper)");
    }
}
