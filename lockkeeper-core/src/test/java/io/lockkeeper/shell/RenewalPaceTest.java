package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.memory.MemoryBackend;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A renewal whose reply is lost keeps its thread until its limit; locks of shorter leases go on being renewed. */
class RenewalPaceTest {

    private final HandClocks clocks = new HandClocks();
    private final ScriptedBackend backend = new ScriptedBackend(MemoryBackend.create(clocks));
    private final CountDownLatch limit = new CountDownLatch(1);
    private final Lockkeeper keeper = LiveKeeper.open(backend, Settings.DEFAULT.withClocks(clocks));

    @AfterEach
    void close() {
        limit.countDown();
        keeper.close();
    }

    @Test
    void oneLostReplyLosesNoOtherLock() throws InterruptedException {
        AtomicInteger hanging = new AtomicInteger();
        Set<Duration> limits = ConcurrentHashMap.newKeySet();
        backend.renewing = limits::add;
        backend.renew = (claims, store) -> {
            if (claims.stream().anyMatch(claim -> claim.resource().name().equals("long"))) {
                hanging.incrementAndGet();
                try {
                    limit.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                throw new StoreUnavailableException("no reply");
            }
            return store.apply(claims);
        };
        ExclusiveHold slow =
                keeper.lock("long").withLease(Duration.ofSeconds(9)).acquire();
        clocks.advance(Duration.ofSeconds(3));
        eventually("it hangs", () -> hanging.get() == 1);
        ExclusiveHold brief =
                keeper.lock("short").withLease(Duration.ofMillis(1200)).acquire();

        for (int i = 0; i < 5; i++) {
            clocks.advance(Duration.ofMillis(401));
            eventually("renewed", () -> brief.remaining().compareTo(Duration.ofMillis(1100)) > 0);
        }

        assertThat(brief.state()).isEqualTo(HoldState.HELD);
        assertThat(slow.state()).isNotEqualTo(HoldState.LOST);
        assertThat(limits).containsExactlyInAnyOrder(Duration.ofSeconds(1), Duration.ofMillis(400));
    }
}
