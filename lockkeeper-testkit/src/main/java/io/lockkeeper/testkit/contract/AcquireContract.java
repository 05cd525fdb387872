package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.testkit.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Taking a lock: which caller gets it, and what it gets. */
@SuppressWarnings("LockNotBeforeTry")
public abstract class AcquireContract extends ContractTest {

    @Test
    void aFreeLockIsHeldAtOnce() throws Exception {
        String name = freshName();
        try (ExclusiveHold hold = keeper().lock(name).acquire()) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(hold.name()).isEqualTo(name);
            assertThat(hold.id()).hasSizeGreaterThanOrEqualTo(22);
            assertThat(hold.token()).isPositive();
            assertThat(hold.remaining()).isPositive();
            hold.ensureHeld();
            assertThat(hold.lost()).isNotDone();
        }
    }

    @Test
    void everyFormAcquires() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        lock.acquire().close();
        held(lock.tryAcquire(PATIENCE)).close();
        get(lock.acquireAsync()).close();
        held(get(lock.tryAcquireAsync(PATIENCE))).close();
        lock.lock();
        lock.unlock();
        lock.lockInterruptibly();
        lock.unlock();
        assertNoTrace(lock.name());
        // On a quorum a single try may meet what those before it left behind on slow members: so each has its own name.
        held(keeper().lock(freshName()).tryAcquire()).close();
        held(get(keeper().lock(freshName()).tryAcquireAsync())).close();
        DistributedLock tried = keeper().lock(freshName());
        assertThat(tried.tryLock()).isTrue();
        tried.unlock();
        assertNoTrace(tried.name());
    }

    // D14: where somebody else holds it, trying says so and does not wait.
    @Test
    void tryingAHeldLockSaysNoAtOnce() throws Exception {
        String name = freshName();
        try (SingleHold held = take(keeper().lock(name))) {
            for (Lockkeeper asking : List.of(keeper(), otherKeeper())) {
                Task<Boolean> no = inThread(() -> {
                    DistributedLock lock = asking.lock(name);
                    return lock.tryAcquire() == null
                            && lock.tryAcquire(Duration.ZERO) == null
                            && get(lock.tryAcquireAsync()) == null
                            && !lock.tryLock();
                });
                assertThat(no.get()).isTrue();
            }
            assertThat(held.state()).isEqualTo(HoldState.HELD);
            assertThat(stateOf(name).waiting()).isZero();
        }
    }

    @Test
    @AboutTime
    void tryingDoesNotOvertakeThoseWhoQueue() throws Exception {
        // A waiter that cannot poll for 3 s is passed over.
        aTryMeetsAQueue();
    }

    private void aTryMeetsAQueue() throws Exception {
        String name = freshName();
        ExclusiveHold first = take(keeper().lock(name));
        Lockkeeper third = openKeeper();
        Task<ExclusiveHold> waiter = inThread(() -> otherKeeper().lock(name).acquire());
        awaitParked(waiter);
        awaitQueued(name, 1);
        first.release();
        ExclusiveHold tried = third.lock(name).tryAcquire();
        if (keepsOrder()) {
            assertThat(tried).as("the queue comes first").isNull();
        } else if (tried != null) {
            tried.close();
        }
        waiter.get().close();
    }

    @Test
    void nobodyEverHoldsItTogetherWithAnother() throws Exception {
        String name = freshName();
        AtomicInteger inside = new AtomicInteger();
        int[] count = new int[1];
        List<Task<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            DistributedLock lock = (i % 2 == 0 ? keeper() : otherKeeper()).lock(name);
            tasks.add(inThread(() -> {
                for (int round = 0; round < 20; round++) {
                    try (SingleHold hold = lock.acquire()) {
                        if (inside.incrementAndGet() != 1) {
                            return false;
                        }
                        count[0]++;
                        inside.decrementAndGet();
                    }
                }
                return true;
            }));
        }
        untilDone(tasks);
        for (Task<Boolean> task : tasks) {
            assertThat(task.get()).isTrue();
        }
        try (SingleHold hold = keeper().lock(name).acquire()) {
            assertThat(count[0]).isEqualTo(8 * 20);
        }
    }

    @Test
    void nobodyEverHoldsItTogetherWithAnotherProcess(@TempDir Path folder) throws IOException {
        String name = freshName();
        Path number = Files.writeString(folder.resolve("number"), "0");
        List<Peer> peers = List.of(peer(Duration.ofSeconds(30)), peer(Duration.ofSeconds(30)));
        peers.forEach(peer -> peer.send("count " + name + " " + number + " 100"));
        for (Peer peer : peers) {
            assertThat(peer.receive()).isEqualTo("done");
        }
        assertThat(number).hasContent("200");
    }

    @Test
    void allLockObjectsOfOneNameAreOneLock() {
        String name = freshName();
        try (SingleHold hold = take(keeper().lock(name))) {
            taken(keeper().lock(name));
            assertThat(keeper().lock(name).withLease(Duration.ofSeconds(7)).tryAcquire())
                    .isNull();
            assertThat(keeper().lock(name).withFixedLease(Duration.ofSeconds(7)).tryAcquire())
                    .isNull();
            taken(otherKeeper().lock(name));
        }
    }

    @Test
    void lambdasRunWhileHoldingAndReleaseAfterwards() throws Exception {
        DistributedLock lock = keeper().lock(freshName());
        assertThat(lock.<Long, RuntimeException>call(hold -> {
                    hold.ensureHeld();
                    return hold.token();
                }))
                .isPositive();
        lock.run(SingleHold::ensureHeld);
        assertThat(lock.tryCall(PATIENCE, hold -> "ran")).contains("ran");
        assertThat(lock.tryRun(PATIENCE, SingleHold::ensureHeld)).isTrue();
        assertNoTrace(lock.name());
        whileHeldElsewhere(lock.name(), theirs -> {
            AtomicInteger runs = new AtomicInteger();
            assertThatNoneRuns(lock, runs);
            assertThat(runs).hasValue(0);
        });
    }

    private static void assertThatNoneRuns(DistributedLock lock, AtomicInteger runs) {
        try {
            assertThat(lock.tryRun(Duration.ofMillis(20), hold -> runs.incrementAndGet()))
                    .isFalse();
            assertThat(lock.tryCall(Duration.ofMillis(20), hold -> runs.incrementAndGet()))
                    .isEmpty();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aBodyThatThrowsReleasesAndItsExceptionPasses() {
        DistributedLock lock = keeper().lock(freshName());
        assertThatThrownBy(() -> lock.run(hold -> {
                    throw new IOException("the body's own");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the body's own")
                .hasNoSuppressedExceptions();
        assertNoTrace(lock.name());
    }

    // D23: far more than a few hundred contended locks in one keeper all get served.
    @Test
    void hundredsOfContendedLocksInOneKeeper() throws Exception {
        List<ExclusiveHold> theirs = new ArrayList<>();
        List<CompletableFuture<ExclusiveHold>> ours = new ArrayList<>();
        // Without a queue each of them polls, and often.
        int names = can(Capability.QUEUE) ? 400 : 60;
        for (int i = 0; i < names; i++) {
            String name = freshName();
            theirs.add(take(otherKeeper().lock(name)));
            ours.add(keeper().lock(name).acquireAsync());
        }
        assertThat(ours).noneMatch(CompletableFuture::isDone);
        theirs.forEach(ExclusiveHold::release);
        for (var mine : ours) {
            get(mine).close();
        }
    }

    // No object stays in the store for a name that is not in use (pain 15 of other-locks).
    @Test
    void aReleasedLockLeavesNothingInTheStore() throws Exception {
        String prefix = freshName();
        for (int i = 0; i < 50; i++) {
            keeper().lock(prefix + i).acquire().close();
        }
        if (can(Capability.HOLDERS)) {
            eventually("nothing is listed", () -> keeper().list(prefix).isEmpty());
        } else {
            assertNoTrace(prefix + 49);
        }
    }
}
