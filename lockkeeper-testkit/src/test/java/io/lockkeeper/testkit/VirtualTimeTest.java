package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.memory.MemoryBackend;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
@Timeout(60)
final class VirtualTimeTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final ManualClocks clocks = new ManualClocks();
    private final long start = clocks.now().mono();

    private Duration passed() {
        return Duration.ofNanos(clocks.now().mono() - start);
    }

    private void waitFor(Duration time) {
        long end = clocks.now().mono() + time.toNanos();
        while (clocks.now().mono() < end) {
            clocks.park(this, end);
        }
    }

    @Test
    void timePassesWhenEverybodyWaits() {
        try (VirtualTime time = VirtualTime.of(clocks)) {
            waitFor(HOUR);
            assertThat(passed()).isEqualTo(HOUR);
        }
    }

    @Test
    void itPassesFromOneThatIsDueToTheNext() throws Exception {
        try (VirtualTime time = VirtualTime.of(clocks)) {
            Thread other = new Thread(() -> waitFor(HOUR.multipliedBy(2)));
            other.start();
            waitFor(HOUR);
            assertThat(passed()).isEqualTo(HOUR);
            other.join();
            assertThat(passed()).isEqualTo(HOUR.multipliedBy(2));
        }
    }

    @Test
    void itStandsStillWhileAnybodyIsBusy() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        Thread busy = new Thread(() -> {
            while (!stop.get()) {
                Thread.onSpinWait();
            }
        });
        try (VirtualTime time = VirtualTime.of(clocks)) {
            busy.start();
            Thread waiting = new Thread(() -> waitFor(HOUR));
            waiting.start();
            // There is no condition for what must not happen.
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
            assertThat(passed()).isZero();
            stop.set(true);
            waiting.join();
            assertThat(passed()).isEqualTo(HOUR);
        } finally {
            stop.set(true);
            busy.join();
        }
    }

    /** A thread that was woken has something to do, also before the machine lets it run. */
    @Test
    void aThreadThatWasWokenIsNotWaiting() throws Exception {
        for (int i = 0; i < 200; i++) {
            CountDownLatch begin = new CountDownLatch(1);
            Duration[] seen = new Duration[1];
            try (VirtualTime time = VirtualTime.of(clocks)) {
                Duration before = passed();
                Thread worker = new Thread(() -> {
                    try {
                        begin.await();
                        seen[0] = passed();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                worker.start();
                begin.countDown();
                waitFor(HOUR);
                worker.join();
                assertThat(seen[0]).isEqualTo(before);
            }
        }
    }

    /** It sleeps, but the JVM may have left the monitor to it already. */
    @Test
    void aThreadThatWantsAMonitorIsNotWaiting() throws Exception {
        Object monitor = new Object();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            synchronized (monitor) {
                held.countDown();
                awaitQuietly(end);
            }
        });
        Thread wants = new Thread(() -> {
            synchronized (monitor) {
                assertThat(end.getCount()).isZero();
            }
        });
        holder.start();
        held.await();
        standsStillWhile(wants, Thread.State.BLOCKED, end);
        holder.join();
    }

    /** It sleeps inside the JVM, which shows it as runnable. */
    @Test
    void aThreadThatWaitsForAClassIsNotWaiting() throws Exception {
        Thread initializer = new Thread(() -> assertThat(Slow.VALUE).isZero());
        initializer.start();
        Gates.BEGUN.await();
        standsStillWhile(new Thread(() -> assertThat(Slow.VALUE).isZero()), Thread.State.RUNNABLE, Gates.END);
        initializer.join();
    }

    private static final class Gates {
        static final CountDownLatch BEGUN = new CountDownLatch(1);
        static final CountDownLatch END = new CountDownLatch(1);
    }

    private static final class Slow {
        static final long VALUE = value();

        private static long value() {
            Gates.BEGUN.countDown();
            awaitQuietly(Gates.END);
            return 0;
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void standsStillWhile(Thread thread, Thread.State state, CountDownLatch end) throws Exception {
        try (VirtualTime time = VirtualTime.of(clocks)) {
            thread.start();
            while (thread.getState() != state) {
                Thread.onSpinWait();
            }
            Thread waiting = new Thread(() -> waitFor(HOUR));
            waiting.start();
            // There is no condition for what must not happen.
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
            assertThat(passed()).isZero();
            end.countDown();
            waiting.join();
            assertThat(passed()).isEqualTo(HOUR);
        } finally {
            end.countDown();
            thread.join();
        }
    }

    @Test
    void aConditionIsLookedAtBeforeTimePasses() throws Exception {
        AtomicBoolean set = new AtomicBoolean();
        try (VirtualTime time = VirtualTime.of(clocks)) {
            Thread setter = new Thread(() -> set.set(true));
            setter.start();
            assertThat(clocks.await(set::get, start + HOUR.toNanos())).isTrue();
            assertThat(passed()).isZero();
            setter.join();
        }
    }

    @Test
    void aConditionThatNeverHoldsIsGivenUpInTime() {
        try (VirtualTime time = VirtualTime.of(clocks)) {
            assertThat(clocks.await(() -> false, start + HOUR.toNanos())).isFalse();
            assertThat(passed()).isEqualTo(HOUR);
        }
    }

    @Test
    void aConditionIsLookedAtAlsoWhileOthersAreBusy() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        long[] rounds = new long[1];
        Thread busy = new Thread(() -> {
            while (!stop.get()) {
                rounds[0]++;
            }
        });
        int[] looks = new int[1];
        try (VirtualTime time = VirtualTime.of(clocks)) {
            busy.start();
            assertThat(clocks.await(() -> ++looks[0] == 5, start + HOUR.toNanos()))
                    .isTrue();
            assertThat(passed()).isZero();
        } finally {
            stop.set(true);
            busy.join();
        }
        assertThat(rounds[0]).isPositive();
    }

    @Test
    void leasesAreRenewedAndWaitersServedInVirtualTime() throws Exception {
        MemoryBackend store = MemoryBackend.create(clocks);
        try (VirtualTime time = VirtualTime.of(clocks);
                Lockkeeper mine = Lockkeeper.builder().clocks(clocks).open(store);
                Lockkeeper others = Lockkeeper.builder().clocks(clocks).open(store)) {
            ExclusiveHold hold = mine.lock("report").acquire();
            assertThat(others.lock("report").tryAcquire(Duration.ofMinutes(10))).isNull();
            assertThat(passed()).isEqualTo(Duration.ofMinutes(10));
            assertThat(hold.state()).isEqualTo(HoldState.HELD);

            store.faults().loseGrants();
            assertThat(hold.lost().get(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(others.lock("report").tryAcquire(Duration.ofMinutes(1))).isNotNull();
        }
    }

    @Test
    void whereNothingMovesTheClocksAWaiterGoesOnWhenTheyAreMoved() throws Exception {
        Thread waiting = new Thread(() -> waitFor(HOUR));
        waiting.start();
        assertThat(clocks.await(() -> waiting.getState() == Thread.State.TIMED_WAITING, start + 1))
                .isTrue();
        clocks.advance(HOUR);
        waiting.join();
    }
}
