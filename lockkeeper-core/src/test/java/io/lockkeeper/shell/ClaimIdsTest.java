package io.lockkeeper.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.memory.MemoryBackend;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClaimIdsTest {

    @Test
    void idsAreOf128BitsAndNeverTheSame() {
        ClaimIds ids = new ClaimIds();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            assertThat(seen.add(ids.get())).isTrue();
        }
        assertThat(seen).allMatch(id -> id.matches("[0-9a-f]{32}"));
    }

    @Test
    void theApplicationMayMakeThem() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        try (Lockkeeper keeper = Lockkeeper.builder()
                        .claimIds(() -> "ourOwnIdentifier" + count.incrementAndGet())
                        .open(MemoryBackend.create());
                ExclusiveHold hold = keeper.lock("a").acquire()) {
            assertThat(hold.id()).startsWith("ourOwnIdentifier");
        }
    }

    @Test
    void anIdThatStoresCannotKeepIsRefusedAndNothingIsLeftBehind() {
        MemoryBackend store = MemoryBackend.create();
        try (Lockkeeper keeper = Lockkeeper.builder().claimIds(() -> "a b; c").open(store)) {
            assertThatThrownBy(() -> keeper.lock("a").acquire())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'a b; c'")
                    .hasMessageContaining("letters and digits");
            assertThat(store.names()).isZero();
        }
    }
}
