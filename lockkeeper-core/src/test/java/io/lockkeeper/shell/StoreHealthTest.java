package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.CountPendingException;
import io.lockkeeper.DistributedLatch;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReleaseOutcome;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that does not answer for a while: what is done meanwhile, what is said, and what happens when it is back. */
class StoreHealthTest {

    private static final Logger LOGGER = Logger.getLogger("io.lockkeeper");
    private final @Nullable Level level = LOGGER.getLevel();

    private final HandClocks clocks = new HandClocks();
    private final ScriptedBackend backend = new ScriptedBackend(MemoryBackend.create(clocks));
    private final AtomicBoolean silent = new AtomicBoolean();
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.add(String.valueOf(entry.getMessage()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final Lockkeeper keeper = LiveKeeper.open(backend, Settings.DEFAULT.withClocks(clocks));

    @BeforeEach
    void listen() {
        LOGGER.setLevel(Level.INFO);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void close() {
        LOGGER.removeHandler(handler);
        LOGGER.setLevel(level);
        silent.set(false);
        backend.renew = ScriptedBackend.Hook.none();
        backend.release = ScriptedBackend.Hook.none();
        keeper.close();
    }

    private <Q, A> ScriptedBackend.Hook<Q, A> silentFor() {
        return (request, store) -> {
            if (silent.get()) {
                throw new StoreUnavailableException("planted");
            }
            return store.apply(request);
        };
    }

    private boolean isLogged(String part) {
        return logged.stream().anyMatch(line -> line.contains(part));
    }

    @Test
    void anOutageThatOnlyReleasesNoticeIsOverWhenOneIsAnswered() throws InterruptedException {
        backend.release = (release, store) -> {
            if (release.resource().name().equals("a")) {
                throw new StoreUnavailableException("planted");
            }
            return store.apply(release);
        };
        ExclusiveHold first = keeper.lock("a").acquire();
        ExclusiveHold second = keeper.lock("b").acquire();
        assertThat(first.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(isLogged("is not available")).isTrue();

        assertThat(second.release()).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(isLogged("is available again")).isTrue();
    }

    @Test
    void anOutageIsOverWhenAChoreIsAnswered() throws InterruptedException {
        backend.release = silentFor();
        ExclusiveHold hold = keeper.lock("a").acquire();
        silent.set(true);
        assertThat(hold.release()).isEqualTo(ReleaseOutcome.UNKNOWN);

        silent.set(false);

        eventually("said so", () -> {
            clocks.advance(Duration.ofMillis(20));
            return isLogged("is available again");
        });
    }

    @Test
    void aStoreThatKnowsNothingOfAnyGrantDoesNotAnswerAgain() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        backend.renew = (claims, store) -> {
            asked.incrementAndGet();
            return claims.stream()
                    .<Renewal>map(claim -> new Renewal.Unknown(new StoreUnavailableException("no majority")))
                    .toList();
        };
        ExclusiveHold hold = keeper.lock("a").acquire();
        for (int i = 0; i < 3; i++) {
            int before = asked.get();
            clocks.advance(Duration.ofSeconds(i == 0 ? 11 : 2));
            eventually("asked", () -> {
                clocks.advance(Duration.ofMillis(5));
                return asked.get() > before;
            });
        }
        eventually("said so", () -> isLogged("is not available"));

        assertThat(isLogged("is available again")).isFalse();
        assertThat(hold.remaining()).isPositive();
    }

    @Test
    void whatIsToBeSettledIsSettledAsSoonAsTheStoreIsBack() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        ScriptedBackend.Hook<Release, Release.Outcome> hook = silentFor();
        backend.release = (release, store) -> {
            asked.incrementAndGet();
            return hook.on(release, store);
        };
        backend.attempt = silentFor();
        ExclusiveHold hold = keeper.lock("a").acquire();
        silent.set(true);
        hold.release();
        // Until its next turn is 3.2 s away.
        for (int tries = 2; tries <= 9; tries++) {
            int reached = tries;
            eventually("try " + tries, () -> {
                if (asked.get() < reached) {
                    clocks.advance(Duration.ofMillis(100));
                }
                return asked.get() >= reached;
            });
        }
        int before = asked.get();
        eventually("it pauses", () -> {
            clocks.advance(Duration.ofMillis(1));
            return true;
        });
        silent.set(false);
        keeper.lock("b").acquire().release();
        clocks.advance(Duration.ofMillis(100));

        eventually("tried at once", () -> asked.get() > before + 1);
        try (Lockkeeper other = Lockkeeper.builder().clocks(clocks).open(backend.memory());
                ExclusiveHold taken = other.lock("a").tryAcquire()) {
            assertThat(taken).isNotNull();
        }
    }

    @Test
    void aReleaseByIdThatWasNotAnsweredGoesOnInTheBackground() throws InterruptedException {
        try (Lockkeeper other = Lockkeeper.builder().clocks(clocks).open(backend.memory())) {
            ExclusiveHold hold = other.lock("a").portable().acquire();
            backend.release = silentFor();
            silent.set(true);
            assertThat(keeper.release("a", hold.id())).isEqualTo(ReleaseOutcome.UNKNOWN);
            assertThat(keeper.lock("a").tryAcquire()).isNull();

            silent.set(false);

            eventually("released", () -> {
                clocks.advance(Duration.ofMillis(20));
                return keeper.inspect(new Resource(Family.LOCK, "a")).isEmpty();
            });
        }
    }

    @Test
    void aPortableHoldWithAnIdOfTheApplicationIsReleasedByAnyProcess() throws InterruptedException {
        AtomicInteger numbers = new AtomicInteger();
        try (Lockkeeper other = Lockkeeper.builder()
                .clocks(clocks)
                .claimIds(() -> "RequestOfMine" + (1000 + numbers.incrementAndGet()))
                .open(backend.memory())) {
            ExclusiveHold hold = other.lock("a").portable().acquire();
            assertThat(hold.id()).startsWith("RequestOfMine");

            assertThat(keeper.release("a", hold.id())).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(keeper.release("a", hold.id())).isEqualTo(ReleaseOutcome.NOT_HELD);
            assertThat(keeper.release("a", "no id at all")).isEqualTo(ReleaseOutcome.NOT_HELD);
        }
    }

    /** A store of latches that breaks now and then. */
    private record BreakingLatches(LatchStore store, Runnable looking, Runnable counting) implements LatchStore {

        @Override
        public State state(Resource latch, boolean wake) {
            State seen = store.state(latch, wake);
            looking.run();
            return seen;
        }

        @Override
        public boolean set(Resource latch, String operation, int count) {
            return store.set(latch, operation, count);
        }

        @Override
        public boolean countDown(Resource latch, long generation, String operation) {
            boolean counted = store.countDown(latch, generation, operation);
            counting.run();
            return counted;
        }

        @Override
        public void delete(Resource latch, long generation) {
            store.delete(latch, generation);
        }
    }

    private DistributedLatch latch(Runnable looking, Runnable counting) {
        backend.latches = store -> new BreakingLatches(store, looking, counting);
        return keeper.latch("l");
    }

    @Test
    void anErrorWhileTheLatchIsLookedAtIsAReplyThatNeverCame() {
        AtomicInteger looks = new AtomicInteger();
        DistributedLatch latch = latch(
                () -> {
                    if (looks.incrementAndGet() == 1) {
                        throw new InternalError("planted");
                    }
                },
                () -> {});
        CompletableFuture<Boolean> opened = latch.awaitAsync(Duration.ofMinutes(1));
        eventually("asked again", () -> {
            clocks.advance(Duration.ofMillis(100));
            return opened.isDone();
        });

        assertThat(opened.join()).isTrue();
    }

    /** A thread waits for an open latch; while its answer is on the way, another thread sets the latch and waits for it. */
    @Test
    void aLatchThatWasSetIsNotOpenByAnOlderAnswer() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch delivered = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        DistributedLatch latch = latch(
                () -> {
                    if (looks.incrementAndGet() == 1) {
                        answered.countDown();
                        TroubleTest.await(delivered);
                    }
                },
                () -> {});
        CompletableFuture<@Nullable Void> first = latch.awaitAsync();
        answered.await();
        assertThat(latch.trySetCount(1)).isTrue();
        CompletableFuture<Boolean> second = latch.awaitAsync(Duration.ofMinutes(1));
        delivered.countDown();
        first.orTimeout(30, TimeUnit.SECONDS).join();
        eventually("the second has its own answer", () -> {
            clocks.advance(Duration.ofMillis(100));
            return looks.get() > 2;
        });

        assertThat(second).isNotDone();
        latch.countDown();
        assertThat(second.orTimeout(30, TimeUnit.SECONDS).join()).isTrue();
    }

    @Test
    void aCountThatMayHaveHappenedIsToldApartFromOneThatDidNot() {
        AtomicBoolean blind = new AtomicBoolean();
        Runnable failing = () -> {
            if (blind.get()) {
                throw new StoreUnavailableException("planted");
            }
        };
        Runnable countingFails = () -> {
            if (silent.get()) {
                throw new StoreUnavailableException("planted");
            }
        };
        DistributedLatch latch = latch(failing, countingFails);
        latch.trySetCount(3);
        blind.set(true);
        assertThatThrownBy(latch::countDown)
                .isInstanceOf(StoreUnavailableException.class)
                .isNotInstanceOf(CountPendingException.class)
                .hasMessageContaining("nothing was counted");
        blind.set(false);
        assertThat(latch.count()).isEqualTo(3);

        silent.set(true);
        assertThatThrownBy(latch::countDown)
                .isInstanceOf(CountPendingException.class)
                .hasMessageContaining("do not repeat it");
        assertThatThrownBy(() ->
                        latch.countDownAsync().orTimeout(30, TimeUnit.SECONDS).join())
                .hasCauseInstanceOf(CountPendingException.class);
        silent.set(false);
        for (int i = 0; i < 100; i++) {
            clocks.advance(Duration.ofMillis(100));
        }
        assertThat(latch.count()).as("each counted once").isEqualTo(1);
    }
}
