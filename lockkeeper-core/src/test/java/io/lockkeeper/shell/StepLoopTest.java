package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;

import io.lockkeeper.memory.MemoryBackend;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The loop of what waits without a thread. */
class StepLoopTest {

    private final KeeperCore core = new KeeperCore(MemoryBackend.create(), Settings.DEFAULT);

    @AfterEach
    void close() {
        core.close(true);
    }

    @Test
    void aWakeUpWhileStepsAreTakenIsFollowedByAnotherStep() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        AtomicInteger steps = new AtomicInteger();
        StepLoop loop = new StepLoop(core, new StepLoop.Steps() {
            @Override
            public long goOn(boolean due) {
                if (steps.incrementAndGet() == 1) {
                    entered.countDown();
                    TroubleTest.await(goesOn);
                }
                return Long.MAX_VALUE;
            }

            @Override
            public void broken(Throwable unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        loop.wake();
        entered.await();

        loop.wake();
        goesOn.countDown();

        eventually("another step", () -> steps.get() == 2);
    }
}
