package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Acquirable;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Hold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Leaks;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.SingleHold;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds that nobody can release any more. */
public abstract class LeakContract extends PrimitiveContract {
    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.lock(name);
    }

    /** Keeps no reference to what it acquires, and neither does its caller. */
    private static void forget(Acquirable<? extends Hold> lock) throws InterruptedException {
        assertThat(lock.acquire().state()).isEqualTo(HoldState.HELD);
    }

    private void forgetAsync(Acquirable<? extends Hold> lock) throws Exception {
        assertThat(get(lock.acquireAsync()).state()).isEqualTo(HoldState.HELD);
    }

    /** Collects garbage until somebody else can have it. */
    private void freeOnceCollected(Acquirable<? extends Hold> lock) {
        eventually("it is free after garbage collection", () -> {
            Garbage.collect();
            letPass(Duration.ofMillis(20));
            try (Hold hold = lock.tryAcquire()) {
                return hold != null;
            }
        });
    }

    @Test
    void aForgottenHoldIsReportedWithItsPlaceAndReleased() throws Exception {
        String name = freshName();
        try (Logs logs = Logs.read()) {
            forget(keeper().lock(name));
            freeOnceCollected(otherKeeper().lock(name));
            eventually("it is reported", () -> logs.warnOf(name, "LeakContract"));
        }
    }

    @Test
    void aForgottenHoldOfAnAsynchronousCallerIsReleased() throws Exception {
        String name = freshName();
        try (Logs logs = Logs.read()) {
            forgetAsync(keeper().lock(name));
            freeOnceCollected(otherKeeper().lock(name));
            eventually("it is reported", () -> logs.warnOf(name, "LeakContract"));
        }
    }

    @TestIfOffered(Capability.SHARED)
    void aForgottenReadHoldIsReleased() throws Exception {
        String name = freshName();
        SingleHold kept = keeper().readWriteLock(name).readLock().acquire();
        forget(keeper().readWriteLock(name).readLock());
        Garbage.collect();
        taken(otherKeeper().lock(name));
        kept.close();
        freeOnceCollected(otherKeeper().lock(name));
    }

    @TestIfOffered(Capability.PERMITS)
    void forgottenPermitsAreReleased() throws Exception {
        String name = freshName();
        forget(keeper().semaphore(name, 1));
        freeOnceCollected(otherKeeper().semaphore(name, 1));
    }

    @Test
    void aForgottenMultiHoldIsReleased() throws Exception {
        String name = freshName();
        forget(keeper().multiLock(name + "/a", name + "/b"));
        freeOnceCollected(otherKeeper().multiLock(name + "/b", name + "/a"));
    }

    @Test
    void theReportNamesThePlaceThatAskedWhicheverThreadItWasGrantedOn() throws Exception {
        String name = freshName();
        try (Logs logs = Logs.read()) {
            forgetAsync(keeper().multiLock(name + "/a", name + "/b"));
            forgetAsync(keeper().segmentedLock(name + "/c", 2));
            for (String part : List.of("/a", "/b", "/c")) {
                eventually("it is reported", () -> {
                    Garbage.collect();
                    letPass(Duration.ofMillis(20));
                    return logs.warnOf(name + part, "LeakContract");
                });
            }
        }
    }

    @Test
    void aForgottenSegmentIsReleased() throws Exception {
        String name = freshName();
        forget(keeper().segmentedLock(name, 1));
        freeOnceCollected(otherKeeper().segmentedLock(name, 1));
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aForgottenHoldIsOnlyReportedIfTheKeeperIsToldSo() throws Exception {
        Duration lease = lease();
        String name = freshName();
        Lockkeeper reporting = openKeeper(builder -> builder.leaks(Leaks.REPORT).lease(lease));
        try (Logs logs = Logs.read()) {
            forget(reporting.lock(name));
            eventually("it is reported", () -> {
                Garbage.collect();
                letPass(Duration.ofMillis(20));
                return logs.warnOf(name, "LeakContract");
            });
        }
        outlast(lease);
        taken(otherKeeper().lock(name));
        reporting.close();
        soonFree(otherKeeper().lock(name));
    }

    @Test
    void whatIsStillUsedIsNoLeak() throws Exception {
        String name = freshName();
        DistributedLock byThread = keeper().lock(name + "/thread");
        byThread.lock();
        try (SingleHold byHandle = keeper().lock(name + "/handle").acquire()) {
            for (int i = 0; i < 3; i++) {
                Garbage.collect();
                letPass(Duration.ofMillis(50));
            }
            taken(otherKeeper().lock(name + "/thread"));
            taken(otherKeeper().lock(name + "/handle"));
            assertThat(byHandle.state()).isEqualTo(HoldState.HELD);
            assertThat(byThread.isHeldByCurrentThread()).isTrue();
        } finally {
            byThread.unlock();
        }
    }

    @Test
    void whatWasReleasedIsNoLeak() throws Exception {
        String name = freshName();
        try (Logs logs = Logs.read()) {
            for (int i = 0; i < 20; i++) {
                keeper().lock(name).acquire().close();
            }
            for (int i = 0; i < 3; i++) {
                Garbage.collect();
                letPass(Duration.ofMillis(50));
            }
            assertThat(logs.warnOf(name)).isFalse();
        }
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aLockWhoseOwnerThreadDiedIsReportedAndNoLongerRenewed() throws Exception {
        String name = freshName();
        Lockkeeper keeper = openKeeper(builder -> builder.lease(lease()));
        try (Logs logs = Logs.read()) {
            running(() -> keeper.lock(name).lock()).get();
            eventually("it is reported", () -> logs.warnOf(name));
            soonFree(otherKeeper().lock(name));
        }
    }

    @Test
    @AboutTime
    @DecidedByKeeper
    void aLockOwnedByNameOutlivesItsThread() throws Exception {
        Duration lease = lease();
        String name = freshName();
        DistributedLock lock = keeper().lock(name).withLease(lease).ownedBy("request-12");
        running(lock::lock).get();
        outlast(lease);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        taken(otherKeeper().lock(name));
        lock.unlock();
        free(otherKeeper().lock(name));
    }
}
