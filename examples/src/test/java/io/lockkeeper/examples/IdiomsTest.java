package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.memory.MemoryBackend;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The idioms hold what the guide says of them. */
@Timeout(60)
final class IdiomsTest {

    private final MemoryBackend store = MemoryBackend.create();
    private final Lockkeeper keeper = Lockkeeper.of(store);
    private final Idioms idioms = new Idioms(keeper);

    @AfterEach
    void close() {
        keeper.close();
    }

    @Test
    void aGuardedUnlockIsSafeAfterALoss() {
        long lost = idioms.guardedUnlock(() -> {
            keeper.forceRelease("orders/42");
            while (keeper.lock("orders/42").isHeldByCurrentThread()) {
                LockSupport.parkNanos(1_000_000);
            }
        });
        assertThat(idioms.guardedUnlock(() -> {})).isGreaterThan(lost);
        assertThat(keeper.list("")).isEmpty();
    }

    @Test
    void whatIsTakenForAMinuteStaysTakenThoughTheHandleIsGone() {
        assertThat(idioms.atMostOnceAMinute(() -> {})).isTrue();
        for (int i = 0; i < 5; i++) {
            System.gc();
            LockSupport.parkNanos(20_000_000);
            assertThat(idioms.atMostOnceAMinute(() -> {})).isFalse();
        }
        try (Lockkeeper other = Lockkeeper.of(store)) {
            assertThat(new Idioms(other).atMostOnceAMinute(() -> {})).isFalse();
        }
    }
}
