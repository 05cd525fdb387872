package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Family;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.memory.MemoryBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several threads that own under one name, at the same time. */
class NamedOwnersTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Resource RESOURCE = new Resource(Family.LOCK, "a");

    private final MemoryBackend backend = MemoryBackend.create();
    private final Lockkeeper keeper = Lockkeeper.of(backend);
    private final Lockkeeper other = Lockkeeper.of(backend);
    private final DistributedReadWriteLock lock = keeper.readWriteLock("a");
    private final Executor threads = task -> new Thread(task).start();

    @AfterEach
    void close() {
        keeper.close();
        other.close();
    }

    private CompletableFuture<Void> inAThread(Runnable task) {
        return CompletableFuture.runAsync(task, threads).orTimeout(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private void waits() {
        eventually(
                "waits in the store",
                () -> other.inspect(RESOURCE).map(state -> state.waiting() > 0).orElse(false));
    }

    private void isFree() throws InterruptedException {
        try (ExclusiveHold hold = other.lock("a").tryAcquire(LONG)) {
            assertThat(hold).isNotNull();
        }
        try (ExclusiveHold hold = keeper.lock("a").tryAcquire(LONG)) {
            assertThat(hold).as("nobody is left in the local queue").isNotNull();
        }
    }

    @Test
    void aCallThatCannotNestWhenItsTurnComesLeavesTheQueue() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            ExclusiveHold taken = other.lock("a").acquire();
            CompletableFuture<Void> reads = inAThread(() -> {
                lock.readLock().ownedBy("request 7").lock();
                lock.readLock().ownedBy("request 7").unlock();
            });
            waits();
            CompletableFuture<Boolean> writes = CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    lock.writeLock().ownedBy("request 7").lock();
                                } catch (IllegalStateException readsAlready) {
                                    return false;
                                }
                                lock.writeLock().ownedBy("request 7").unlock();
                                return true;
                            },
                            threads)
                    .orTimeout(LONG.toSeconds(), TimeUnit.SECONDS);
            taken.close();

            reads.join();
            writes.join();
            isFree();
        }
    }

    @Test
    void readersOfOneOwnerThatAreServedTogetherNest() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            ExclusiveHold taken = other.lock("a").acquire();
            CompletableFuture<Void> one = inAThread(this::read);
            CompletableFuture<Void> two = inAThread(this::read);
            CompletableFuture<Void> three = inAThread(this::read);
            waits();
            taken.close();
            CompletableFuture.allOf(one, two, three).join();

            isFree();
        }
    }

    @Test
    void readersOfOneOwnerThatTryTogetherNest() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            CompletableFuture<Void> one = inAThread(this::tryToRead);
            CompletableFuture<Void> two = inAThread(this::tryToRead);
            CompletableFuture.allOf(one, two).join();

            isFree();
        }
    }

    private void read() {
        lock.readLock().ownedBy("request 7").lock();
        lock.readLock().ownedBy("request 7").unlock();
    }

    private void tryToRead() {
        if (lock.readLock().ownedBy("request 7").tryLock()) {
            lock.readLock().ownedBy("request 7").unlock();
        }
    }
}
