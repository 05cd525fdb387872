package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.file.FileBackend;
import io.lockkeeper.quorum.BackOff;
import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.spi.Capability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users are told when they ask for something that cannot be. */
class MessagesTest {

    @Test
    void durationsAreWrittenAsPeopleDo() {
        try (Lockkeeper keeper = Lockkeeper.connect("memory:")) {
            DistributedLock lock = keeper.lock("orders/42");
            Map<ThrowingCallable, String> told = Map.of(
                    () -> lock.withLease(Duration.ofMillis(10)), "A lease of 10ms is too short",
                    () -> lock.withLease(Duration.ofDays(2)), "A lease of 2d is longer than",
                    () -> lock.sticky(Duration.ofSeconds(90)),
                            "sticky for 1m 30s: an idle grant is not renewed, and one with a lease of 30s is due for renewal after 10s",
                    () -> lock.withMaxHold(Duration.ofSeconds(-90), Overdue.REPORT), "must be positive but was -1m 30s",
                    () -> Lockkeeper.builder().commandTimeout(Duration.ofNanos(20_000)), "A command timeout of 0.02ms",
                    () -> new HandOff(2_000, Duration.ofMillis(20)), "2000 times within 20ms",
                    () -> FileBackend.in(Path.of("x")).withRetention(Duration.ofSeconds(30)),
                            "deleted after 30s already",
                    () -> Quorum.builder().nodeTimeout(Duration.ZERO), "A timeout of 0s is too short",
                    () -> BackOff.exponential(Duration.ofMinutes(2), Duration.ofMillis(1)), "from 2m to 1ms");
            told.forEach((mistake, message) -> assertThatThrownBy(mistake)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(message));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"riak://host", "chubby://host", "consul://host/db"})
    void aStoreThatDoesNotExistIsNotRecommended(String url) {
        assertThatThrownBy(() -> Lockkeeper.connect(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No store is known for '" + url.substring(0, url.indexOf(':') + 1)
                        + "'; on the class path are file, memory")
                .hasMessageNotContaining("artifact");
    }

    @Test
    void aStoreThatIsNotOnTheClassPathIsNamedWithItsArtifact() {
        assertThatThrownBy(() -> Lockkeeper.connect("redis://user:secret@host"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs the artifact io.lockkeeper:lockkeeper-redis")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @EnumSource
    void onlyStoresThatExistAreNamedAsHavingACapability(Capability capability) {
        assertThat(List.of(capability.offeredBy().split(", | and ")))
                .isSubsetOf(Set.of(
                        "memory",
                        "file",
                        "quorum",
                        "Redis (io.lockkeeper:lockkeeper-redis)",
                        "SQL (io.lockkeeper:lockkeeper-jdbc)",
                        "ZooKeeper (io.lockkeeper:lockkeeper-zookeeper)",
                        "etcd (io.lockkeeper:lockkeeper-etcd)"))
                .contains("memory");
    }
}
