package io.lockkeeper.quorum;

import static io.lockkeeper.quorum.Steps.await;
import static io.lockkeeper.quorum.Steps.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.spi.Clocks;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Threads that meet errors, and threads that cannot be started. */
class MemberThreadsTest {

    private final AtomicBoolean famine = new AtomicBoolean();
    private final AtomicInteger made = new AtomicInteger();

    private Thread make(Runnable work) {
        if (famine.get()) {
            throw new OutOfMemoryError("unable to create native thread, as the test wants it");
        }
        made.incrementAndGet();
        return new Thread(work, "threads under test");
    }

    @Test
    void aThreadGoesOnAfterAnError() {
        MemberThreads threads = new MemberThreads("threads", 1, 10, Clocks.system(), this::make);
        CountDownLatch done = new CountDownLatch(1);
        threads.submit(() -> {
            throw new StackOverflowError("as the test wants it");
        });
        threads.submit(done::countDown);
        await(done);
        eventually(threads::isQuiet);
        assertThat(made.get()).isEqualTo(1);
        threads.close();
    }

    @Test
    void whatNoThreadCanBeHadForIsRefusedAndTheNextIsServed() {
        MemberThreads threads = new MemberThreads("threads", 2, 10, Clocks.system(), this::make);
        famine.set(true);
        AtomicBoolean ran = new AtomicBoolean();
        assertThatThrownBy(() -> threads.submit(() -> ran.set(true)))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("none can be started");
        assertThat(threads.isQuiet()).isTrue();
        famine.set(false);
        CountDownLatch done = new CountDownLatch(1);
        threads.submit(done::countDown);
        await(done);
        assertThat(ran.get()).isFalse();
        threads.close();
    }

    @Test
    void theThreadsThatAreThereDoWhatNoOtherCanBeHadFor() {
        MemberThreads threads = new MemberThreads("threads", 2, 10, Clocks.system(), this::make);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        threads.submit(() -> await(release));
        famine.set(true);
        threads.submit(done::countDown);
        release.countDown();
        await(done);
        assertThat(made.get()).isEqualTo(1);
        threads.close();
    }
}
