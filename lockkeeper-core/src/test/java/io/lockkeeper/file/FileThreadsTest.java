package io.lockkeeper.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FileThreadsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final FileThreads workers = new FileThreads("file:/x");

    @Test
    void anInterruptIsKeptForTheCallerAndDoesNotReachTheWork() {
        Thread.currentThread().interrupt();
        boolean seen = workers.call(LONG, deadline -> Thread.currentThread().isInterrupted());
        assertThat(seen).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void theCallerGetsAwayAtItsLimit() {
        CountDownLatch hangs = new CountDownLatch(1);
        assertThatThrownBy(() -> workers.call(Duration.ofMillis(20), deadline -> {
                    hangs.await();
                    return true;
                }))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("20ms");
        hangs.countDown();
    }

    @Test
    void manyCallersShareAFewThreads() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            calls.add(CompletableFuture.supplyAsync(
                    () -> workers.call(LONG, deadline -> threads.add(Thread.currentThread())),
                    work -> new Thread(work).start()));
        }
        calls.forEach(CompletableFuture::join);
        assertThat(threads).hasSizeBetween(1, 32).allMatch(Thread::isDaemon);
    }

    @Test
    void oneCallerUsesOneThread() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 1_000; i++) {
            workers.call(LONG, deadline -> threads.add(Thread.currentThread()));
        }
        assertThat(threads).hasSizeLessThan(10);
    }
}
