package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.OwnedLock;
import io.lockkeeper.SharedLock;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two threads that own under one name: whatever one does while the other unlocks, at whichever of its steps, nothing is
 * taken for a loss, no thread is refused what it has, and in the end it is free.
 */
@Timeout(60)
class NamedOwnersStepsTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int STEPS = 60;

    /** Both halves of a lock, as the owner has them. */
    private record Halves(SharedLock read, DistributedLock write) {
        Halves(DistributedReadWriteLock lock) {
            this(lock.readLock().ownedBy("request 7"), lock.writeLock().ownedBy("request 7"));
        }
    }

    private final Interleaver interleaver = new Interleaver();
    private final ScriptedBackend backend = new ScriptedBackend();
    private final Lockkeeper keeper = Lockkeeper.builder().clocks(interleaver).open(backend);
    private final Lockkeeper other = Lockkeeper.of(backend.memory());

    NamedOwnersStepsTest() {
        backend.attempt = stepping();
        backend.release = stepping();
        backend.narrow = stepping();
    }

    private <Q, A> ScriptedBackend.Hook<Q, A> stepping() {
        return (request, store) -> {
            interleaver.step();
            A answer = store.apply(request);
            interleaver.step();
            return answer;
        };
    }

    @AfterEach
    void close() {
        keeper.close();
        other.close();
    }

    private void isFree(String name) throws InterruptedException {
        try (ExclusiveHold hold = other.lock(name).tryAcquire(LONG)) {
            assertThat(hold).as("nobody holds " + name).isNotNull();
        }
        eventually("nothing is left of " + name, () -> keeper.list("").isEmpty());
    }

    /** What is to be the case before, the call, what happens in the midst of it, and what is left to unlock. */
    private void atEachStep(
            Consumer<Halves> before, Consumer<Halves> call, Consumer<Halves> amid, Consumer<Halves> after)
            throws InterruptedException {
        boolean within = true;
        for (int step = 1; within; step++) {
            Halves halves = new Halves(keeper.readWriteLock("at step " + step));
            before.accept(halves);
            within = interleaver.run(step, () -> call.accept(halves), () -> amid.accept(halves));
            after.accept(halves);
            assertThat(halves.read.holdCount() + halves.write.holdCount())
                    .as("step " + step)
                    .isZero();
            isFree(halves.read.name());
            assertThat(step).isLessThan(STEPS);
        }
    }

    private static void lockAndUnlock(OwnedLock<?, ?> lock) {
        lock.lock();
        lock.unlock();
    }

    @Test
    void oneReaderUnlocksWhileAnotherDoes() throws InterruptedException {
        atEachStep(
                halves -> {
                    halves.read.lock();
                    halves.read.lock();
                },
                halves -> halves.read.unlock(),
                halves -> halves.read.unlock(),
                halves -> {});
    }

    @Test
    void oneWriterUnlocksWhileAnotherDoes() throws InterruptedException {
        atEachStep(
                halves -> {
                    halves.write.lock();
                    halves.write.lock();
                },
                halves -> halves.write.unlock(),
                halves -> halves.write.unlock(),
                halves -> {});
    }

    // What the writer's unlock comes to, a downgrade, is overtaken by the reader's, which releases.
    @Test
    void theReaderUnlocksWhileTheWriterDoes() throws InterruptedException {
        atEachStep(
                halves -> {
                    halves.write.lock();
                    halves.read.lock();
                },
                halves -> halves.write.unlock(),
                halves -> halves.read.unlock(),
                halves -> {});
    }

    @Test
    void theWriterUnlocksWhileTheReaderDoes() throws InterruptedException {
        atEachStep(
                halves -> {
                    halves.write.lock();
                    halves.read.lock();
                },
                halves -> halves.read.unlock(),
                halves -> halves.write.unlock(),
                halves -> {});
    }

    @Test
    void aReaderComesAndGoesWhileTheWriterBecomesAReader() throws InterruptedException {
        atEachStep(
                halves -> {
                    halves.write.lock();
                    halves.read.lock();
                },
                halves -> halves.write.unlock(),
                halves -> {
                    lockAndUnlock(halves.read);
                    assertThat(halves.read.currentHold().state()).isEqualTo(HoldState.HELD);
                },
                halves -> halves.read.unlock());
    }

    @Test
    void anotherComesAndGoesWhileTheLastOneUnlocks() throws InterruptedException {
        atEachStep(
                halves -> halves.write.lock(),
                halves -> halves.write.unlock(),
                halves -> {
                    lockAndUnlock(halves.write);
                    lockAndUnlock(halves.read);
                },
                halves -> {});
        atEachStep(
                halves -> halves.read.lock(),
                halves -> halves.read.unlock(),
                halves -> lockAndUnlock(halves.read),
                halves -> {});
    }

    @Test
    void anotherComesAndGoesWhileTheFirstOneLocks() throws InterruptedException {
        atEachStep(
                halves -> {},
                halves -> halves.write.lock(),
                halves -> {
                    lockAndUnlock(halves.write);
                    lockAndUnlock(halves.write);
                },
                halves -> halves.write.unlock());
        atEachStep(
                halves -> {},
                halves -> halves.read.lock(),
                halves -> {
                    lockAndUnlock(halves.read);
                    lockAndUnlock(halves.read);
                },
                halves -> halves.read.unlock());
    }

    // It comes before the other has counted itself as the owner: both are served, and one nests.
    @Test
    void twoThatTryAtOnceBothHaveIt() throws InterruptedException {
        atEachStep(
                halves -> {},
                halves -> assertThat(halves.read.tryLock()).isTrue(),
                halves -> assertThat(halves.read.tryLock()).isTrue(),
                halves -> {
                    assertThat(halves.read.holdCount()).isEqualTo(2);
                    halves.read.unlock();
                    halves.read.unlock();
                });
    }
}
