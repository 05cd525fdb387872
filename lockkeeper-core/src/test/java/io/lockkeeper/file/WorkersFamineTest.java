package io.lockkeeper.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The file store while no thread can be started. */
class WorkersFamineTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicInteger started = new AtomicInteger();
    private final CountDownLatch refused = new CountDownLatch(1);
    private volatile boolean famine;
    private final FileThreads workers = new FileThreads("file:/test", thread -> {
        if (famine) {
            refused.countDown();
            throw new InternalError("unable to create native thread (planted)");
        }
        started.incrementAndGet();
    });

    @Test
    void theCallerWhoseWorkCannotBeDoneIsToldAndOthersGoOn() {
        AtomicInteger done = new AtomicInteger();
        famine = true;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> workers.call(LONG, deadline -> done.incrementAndGet()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("nothing was done");
        }

        famine = false;
        int first = workers.call(LONG, deadline -> done.incrementAndGet());
        assertThat(first).isEqualTo(1);
        // What failed is not counted as work under way: one thread after the other is enough.
        for (int i = 2; i < 20; i++) {
            int next = workers.call(LONG, deadline -> done.incrementAndGet());
            assertThat(next).isEqualTo(i);
        }
        assertThat(started).hasValueLessThan(4);
    }

    @Test
    void whatFindsNoThreadOfItsOwnIsDoneByThoseThatThereAre() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        // Threads of their own: the common pool may have a single one.
        Executor callers = caller -> new Thread(caller).start();
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(
                () -> workers.call(LONG, deadline -> {
                    busy.countDown();
                    gate.await();
                    return 1;
                }),
                callers);
        busy.await();
        famine = true;
        CompletableFuture<Integer> second =
                CompletableFuture.supplyAsync(() -> workers.call(LONG, deadline -> 2), callers);
        refused.await();
        gate.countDown();

        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(2);
    }
}
