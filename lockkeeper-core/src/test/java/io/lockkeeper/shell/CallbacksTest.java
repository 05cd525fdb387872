package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.KeeperPolicy;
import io.lockkeeper.memory.MemoryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Code of the application never runs on the timer, and blocks nothing of the keeper's, whatever its executor does. */
class CallbacksTest {

    private static final Duration SHORT = Duration.ofSeconds(5);

    private final HandClocks clocks = new HandClocks();
    private final ScriptedBackend backend = new ScriptedBackend(MemoryBackend.create(clocks));
    private final CountDownLatch gate = new CountDownLatch(1);
    private @Nullable Lockkeeper keeper;
    private @Nullable KeeperCore core;

    private Lockkeeper open(Settings settings) {
        core = new KeeperCore(backend, settings.withClocks(clocks));
        keeper = new LiveKeeper(core, false);
        return keeper;
    }

    @AfterEach
    void close() {
        gate.countDown();
        if (keeper != null) {
            keeper.close();
        }
    }

    private void pass() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "application");
        thread.setDaemon(true);
        return thread;
    }

    static Stream<Named<Executor>> executors() {
        ExecutorService ended = Executors.newSingleThreadExecutor(CallbacksTest::daemon);
        ended.shutdown();
        return Stream.of(
                Named.of("rejects", task -> {
                    throw new RejectedExecutionException("planted");
                }),
                Named.of("fails", task -> {
                    throw new InternalError("planted");
                }),
                Named.of("runs in the caller", Runnable::run),
                Named.of(
                        "is full and runs in the caller",
                        new ThreadPoolExecutor(
                                1,
                                1,
                                1,
                                TimeUnit.SECONDS,
                                new LinkedBlockingQueue<>(1),
                                CallbacksTest::daemon,
                                new ThreadPoolExecutor.CallerRunsPolicy())),
                Named.of("is shut down", ended),
                Named.of("runs it and throws", task -> {
                    task.run();
                    throw new RejectedExecutionException("planted");
                }));
    }

    @ParameterizedTest
    @MethodSource("executors")
    void aCallbackThatBlocksHoldsUpNeitherTheTimerNorOtherCallbacks(Executor executor) throws InterruptedException {
        Lockkeeper keeper = open(Settings.DEFAULT.withCallbacks(executor));
        List<ExclusiveHold> holds = new ArrayList<>();
        List<String> threads = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 5; i++) {
            ExclusiveHold hold = keeper.lock("short" + i).withFixedLease(SHORT).acquire();
            hold.onLost(loss -> {
                threads.add(Thread.currentThread().getName());
                pass();
            });
            holds.add(hold);
        }
        ExclusiveHold healthy = keeper.lock("healthy").acquire();

        clocks.advance(SHORT.plusSeconds(1));
        // A pool of one thread and a place in its queue begins four of them: the rest is the application's choice.
        eventually("callbacks are begun", () -> threads.size() >= 4);
        clocks.advance(Duration.ofSeconds(5));
        eventually("renewed", () -> healthy.remaining().compareTo(Duration.ofSeconds(29)) > 0);

        assertThat(threads).noneMatch(name -> name.startsWith("lockkeeper-timer"));
        assertThat(healthy.state()).isEqualTo(HoldState.HELD);
        gate.countDown();
        eventually("all are told", () -> threads.size() == 5);
        assertThat(holds).allMatch(hold -> hold.state() == HoldState.LOST);
    }

    @Test
    void aMassLossStartsFewThreadsAndTellsEverybody() throws InterruptedException {
        AtomicInteger listened = new AtomicInteger();
        Lockkeeper keeper = open(Settings.DEFAULT.withListener(new KeeperListener() {
            @Override
            public void lost(KeeperEvent.Lost event) {
                listened.incrementAndGet();
            }
        }));
        int many = 10_000;
        AtomicInteger told = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        List<ExclusiveHold> holds = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            ExclusiveHold hold = keeper.lock("n" + i).withFixedLease(SHORT).acquire();
            hold.onLost(loss -> {
                begun.incrementAndGet();
                pass();
                told.incrementAndGet();
            });
            holds.add(hold);
        }
        ExclusiveHold healthy = keeper.lock("healthy").acquire();

        clocks.advance(SHORT.plusSeconds(1));
        eventually("callbacks block", () -> begun.get() > 0);
        eventually("all are lost", () -> holds.stream().allMatch(hold -> hold.state() == HoldState.LOST));
        clocks.advance(Duration.ofSeconds(5));
        eventually("renewed", () -> healthy.remaining().compareTo(Duration.ofSeconds(29)) > 0);
        int threads = Objects.requireNonNull(core).workers().callbackThreads();
        assertThat(threads).isBetween(1, 64);
        CompletableFuture<?> other = keeper.lock("other").acquireAsync().thenCompose(hold -> hold.releaseAsync());

        gate.countDown();
        other.orTimeout(30, TimeUnit.SECONDS).join();
        eventually("all are told", () -> told.get() == many && listened.get() == many);
    }

    @Test
    void callbacksThatWaitForEachOtherGetMoreThreadsInTime() {
        Lockkeeper keeper = open(Settings.DEFAULT);
        KeeperCore core = Objects.requireNonNull(this.core);
        int many = 40;
        CountDownLatch all = new CountDownLatch(many);
        for (int i = 0; i < many; i++) {
            keeper.lock("n" + i).callAsync(hold -> {
                all.countDown();
                try {
                    all.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return CompletableFuture.completedFuture(1);
            });
        }
        eventually("all have begun", () -> {
            clocks.advance(KeeperPolicy.STANDSTILL.dividedBy(4));
            return all.getCount() == 0;
        });
        assertThat(core.workers().callbackThreads()).isLessThanOrEqualTo(many);
    }

    @Test
    void whatTheListenerIsToldOfAHoldComesInOrder() throws InterruptedException {
        List<String> events = new CopyOnWriteArrayList<>();
        Lockkeeper keeper = open(Settings.DEFAULT.withListener(new KeeperListener() {
            @Override
            public void uncertain(KeeperEvent.Uncertain event) {
                events.add("uncertain");
                pass();
                events.add("uncertain was told");
            }

            @Override
            public void lost(KeeperEvent.Lost event) {
                events.add("lost");
            }
        }));
        ExclusiveHold hold = keeper.lock("a").acquire();
        backend.renew = (claims, store) -> {
            throw new StoreUnavailableException("planted");
        };
        clocks.advance(Duration.ofSeconds(11));
        eventually("uncertain", () -> events.contains("uncertain"));
        clocks.advance(Duration.ofSeconds(30));
        hold.lost().orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(events).containsExactly("uncertain");

        gate.countDown();
        eventually("told of the loss", () -> events.contains("lost"));
        assertThat(events).containsExactly("uncertain", "uncertain was told", "lost");
    }
}
