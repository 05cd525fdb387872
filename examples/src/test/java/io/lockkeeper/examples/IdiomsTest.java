package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.memory.MemoryBackend;
import java.util.ArrayList;
import java.util.List;
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
        List<Long> tokens = new ArrayList<>();
        Runnable noted = () -> tokens.add(keeper.lock("orders/42").currentHold().token());
        idioms.guardedUnlock(() -> {
            noted.run();
            keeper.forceRelease("orders/42");
            while (keeper.lock("orders/42").isHeldByCurrentThread()) {
                LockSupport.parkNanos(1_000_000);
            }
        });
        idioms.guardedUnlock(noted);
        assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
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

    @Test
    void pollingWithALimitGetsTheLockOnceItIsFree() throws InterruptedException {
        try (Lockkeeper other = Lockkeeper.of(store)) {
            ExclusiveHold busy = other.lock("orders/42").acquire();
            int[] rounds = {0, 0};
            idioms.poll(
                    () -> {
                        rounds[0]++;
                        busy.close();
                    },
                    () -> rounds[1]++);
            assertThat(rounds[0]).isPositive();
            assertThat(rounds[1]).isEqualTo(1);
        }
    }
}
