package io.lockkeeper.testkit;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.KeeperEvent;
import io.lockkeeper.KeeperListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.memory.MemoryFaults;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Locks in memory for the unit tests of an application, with the bad days on demand: a lock is busy, a lock is lost, time passes, the
 * store does not answer. The code under test uses {@link #keeper()}.
 */
public final class TestLocks implements AutoCloseable {

    private final ShiftedClocks clocks = new ShiftedClocks();
    private final MemoryBackend store = MemoryBackend.create(clocks);
    private final ConcurrentMap<String, CountDownLatch> awaited = new ConcurrentHashMap<>();
    private final Lockkeeper keeper =
            Lockkeeper.builder().clocks(clocks).listener(new Losses()).open(store);
    private final Lockkeeper others =
            Lockkeeper.builder().clocks(clocks).note("another process").open(store);

    /** Counts losses down. */
    private final class Losses implements KeeperListener {
        @Override
        public void lost(KeeperEvent.Lost event) {
            CountDownLatch told = awaited.remove(event.resource().name());
            if (told != null) {
                told.countDown();
            }
        }
    }

    /** The keeper of the code under test. */
    public Lockkeeper keeper() {
        return keeper;
    }

    /** Whether anybody holds the lock. */
    public boolean isHeld(String name) {
        return others.lock(name).isLocked();
    }

    /**
     * Another process has the lock, until the result is closed.
     *
     * @throws IllegalStateException if the lock is held already
     */
    public Registration busy(String name) {
        @Nullable ExclusiveHold hold = others.lock(name).tryAcquire();
        if (hold == null) {
            throw new IllegalStateException(
                    "The lock '" + name + "' is held already, so another process cannot take it; call busy() before");
        }
        return hold::close;
    }

    /**
     * Takes the lock away from the code under test, which is notified before this method returns.
     *
     * @throws IllegalStateException if it is not held
     */
    public void lose(String name) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        awaited.put(name, told);
        if (!others.forceRelease(name)) {
            awaited.remove(name);
            throw new IllegalStateException(
                    "Nobody holds the lock '" + name + "', so it cannot be lost; acquire it before");
        }
        if (!told.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The lock '" + name + "' is not one of the keeper under test");
        }
    }

    /** Lets time pass, for leases and timeouts alike. */
    public void pass(Duration time) {
        clocks.pass(Objects.requireNonNull(time, "time"));
    }

    /** The store answers no request, or answers again. */
    public void storeFails(boolean fails) {
        store.faults().failing(fails ? MemoryFaults.Fault.BEFORE : MemoryFaults.Fault.NONE);
    }

    @Override
    public void close() {
        storeFails(false);
        keeper.close();
        others.close();
        store.close();
    }
}
