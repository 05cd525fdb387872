package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Acquirable;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Hold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Permit;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Call;
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests and replies get lost all the time: what was promised holds, and in the end nothing is left over. */
public abstract class LostRepliesContract extends PrimitiveContract {
    private static final int ROUNDS = 10;
    private static final Duration CHAOS = Duration.ofMillis(600);
    private static final Call[] KINDS = {Call.ATTEMPT, Call.RELEASE, Call.EXCHANGE, Call.NARROW, Call.LATCH};

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.lock(name);
    }

    /** Work in one keeper: called by several threads, several times. */
    @FunctionalInterface
    private interface Work {
        void in(Lockkeeper keeper, int round) throws Exception;
    }

    /**
     * Two keepers with two threads each do the work while every few milliseconds a request or a reply of theirs is lost. Not
     * for longer than {@link #CHAOS}: what cannot be sent is tried again less and less often.
     */
    private void whileRepliesGetLost(Work work) throws Exception {
        List<FaultyBackend> networks = List.of(faulty(), faulty());
        var over = new AtomicBoolean();
        Task<@Nullable Void> chaos = running(() -> {
            long end = clocks().now().mono() + CHAOS.toNanos();
            while (clocks().now().mono() < end && !over.get()) {
                var network =
                        networks.get(ThreadLocalRandom.current().nextInt(2)).network();
                Call kind = KINDS[ThreadLocalRandom.current().nextInt(KINDS.length)];
                if (ThreadLocalRandom.current().nextBoolean()) {
                    network.failAfter(kind, 1);
                } else {
                    network.failBefore(kind, 1);
                }
                letPass(Duration.ofMillis(5));
            }
        });
        List<Task<@Nullable Void>> workers = new ArrayList<>();
        for (FaultyBackend network : networks) {
            Lockkeeper keeper = openKeeper(network);
            for (int i = 0; i < 2; i++) {
                workers.add(running(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        work.in(keeper, round);
                    }
                }));
            }
        }
        try {
            untilDone(workers);
            results(workers);
        } finally {
            over.set(true);
            chaos.get();
            networks.forEach(backend -> backend.network().heal());
        }
    }

    private void staysAMutex(BiFunction<Lockkeeper, String, Acquirable<? extends Hold>> mutex) throws Exception {
        String name = freshName();
        var inside = new AtomicInteger();
        var wrong = new AtomicInteger();
        whileRepliesGetLost((keeper, round) -> mutex.apply(keeper, name).run(hold -> {
            if (inside.incrementAndGet() > 1) {
                wrong.incrementAndGet();
            }
            inside.decrementAndGet();
        }));
        assertThat(wrong).hasValue(0);
        soonFree(mutex.apply(keeper(), name));
    }

    @Test
    void anInterruptWhileRepliesGetLostLeavesNoOrphan() {
        FaultyBackend lossy = faulty();
        Lockkeeper mine = openKeeper(lossy);
        for (int i = 0; i < 10; i++) {
            String name = freshName();
            lossy.network().failAfter(Call.ATTEMPT, 100);
            long before = lossy.network().calls(Call.ATTEMPT);
            Task<ExclusiveHold> caller = inThread(() -> mine.lock(name).acquire());
            eventually("it asks", () -> lossy.network().calls(Call.ATTEMPT) > before);
            eventually("it ends", () -> {
                caller.interrupt();
                return caller.isDone();
            });
            assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
            lossy.network().heal();
            soonFree(keeper().lock(name));
            assertNoTrace(name);
        }
    }

    @Test
    void aLockStaysAMutex() throws Exception {
        staysAMutex(Lockkeeper::lock);
    }

    @Test
    void aMultiLockStaysAMutex() throws Exception {
        staysAMutex((keeper, name) -> keeper.multiLock(name + "/a", name + "/b"));
    }

    @Test
    void aSegmentStaysAMutex() throws Exception {
        staysAMutex((keeper, name) -> keeper.segmentedLock(name, 1));
    }

    @TestIfOffered(Capability.SHARED)
    void readersAndWritersStayApart() throws Exception {
        String name = freshName();
        var readers = new AtomicInteger();
        var writers = new AtomicInteger();
        var wrong = new AtomicInteger();
        whileRepliesGetLost((keeper, round) -> {
            DistributedReadWriteLock lock = keeper.readWriteLock(name);
            if (round % 3 == 0) {
                var writing = lock.writeLock().acquire();
                if (writers.incrementAndGet() > 1 || readers.get() > 0) {
                    wrong.incrementAndGet();
                }
                readers.incrementAndGet();
                writers.decrementAndGet();
                try (var reading = lock.downgrade(writing)) {
                    assertThat(reading.token()).isEqualTo(writing.token());
                    if (writers.get() > 0) {
                        wrong.incrementAndGet();
                    }
                    readers.decrementAndGet();
                }
            } else {
                lock.readLock().run(hold -> {
                    readers.incrementAndGet();
                    if (writers.get() > 0) {
                        wrong.incrementAndGet();
                    }
                    readers.decrementAndGet();
                });
            }
        });
        assertThat(wrong).hasValue(0);
        soonFree(keeper().lock(name));
    }

    @TestIfOffered(Capability.PERMITS)
    void neverAreMorePermitsOutThanThereAre() throws Exception {
        String name = freshName();
        var out = new AtomicInteger();
        var most = new AtomicInteger();
        whileRepliesGetLost((keeper, round) -> {
            DistributedSemaphore semaphore = keeper.semaphore(name, 3);
            int wanted = 1 + round % 3;
            try (Permit permit = semaphore.acquire(wanted)) {
                most.accumulateAndGet(out.addAndGet(wanted), Math::max);
                if (wanted > 1) {
                    out.decrementAndGet();
                    permit.release(1);
                }
                out.addAndGet(-Math.max(1, wanted - 1));
            }
        });
        assertThat(most.get()).isBetween(1, 3);
        DistributedSemaphore semaphore = keeper().semaphore(name, 3);
        eventually("all permits are back", () -> semaphore.availablePermits() == 3);
        got(semaphore.tryAcquire(3, PATIENCE)).close();
    }

    @TestIfOffered(Capability.LATCH)
    void everyCountOfALatchCountsOnce() throws Exception {
        String name = freshName();
        int all = 2 * 2 * ROUNDS;
        keeper().latch(name).trySetCount(all + 1);
        whileRepliesGetLost((keeper, round) -> {
            for (boolean sent = false; !sent; ) {
                try {
                    keeper.latch(name).countDown();
                    sent = true;
                } catch (StoreUnavailableException unanswered) {
                    // It says whether it is sent in the background, or never was.
                    sent = unanswered.toString().contains("do not repeat it");
                }
            }
        });
        eventually("all but one are counted", () -> keeper().latch(name).count() == 1);
        letPass(A_WHILE);
        assertThat(keeper().latch(name).count()).isEqualTo(1);
        keeper().latch(name).delete();
    }
}
