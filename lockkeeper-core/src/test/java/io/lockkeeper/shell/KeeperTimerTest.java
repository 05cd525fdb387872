package io.lockkeeper.shell;

import static io.lockkeeper.shell.Eventually.eventually;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No failure ends the timer: nothing would be renewed any more, and no loss would be told. */
class KeeperTimerTest {

    private static final Logger LOGGER = Logger.getLogger("io.lockkeeper");

    private final HandClocks clocks = new HandClocks();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final KeeperTimer timer = new KeeperTimer("keeper", clocks, new KeeperTimer.Watch() {
        @Override
        public void look() {
            looks.incrementAndGet();
        }

        @Override
        public long next() {
            if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("planted");
            }
            return Long.MAX_VALUE;
        }
    });

    @AfterEach
    void close() {
        timer.close();
    }

    private void stillRings() {
        AtomicBoolean rang = new AtomicBoolean();
        timer.in(Duration.ofSeconds(1), () -> rang.set(true));
        eventually("it rings", () -> {
            clocks.advance(Duration.ofMillis(100));
            return rang.get();
        });
    }

    @Test
    void anErrorBetweenTwoTasksDoesNotEndIt() {
        failures.set(3);
        timer.start();
        eventually("it goes on", () -> {
            clocks.advance(Duration.ofMillis(100));
            return failures.get() < 0 && looks.get() > 3;
        });
        stillRings();
    }

    @Test
    void norDoesALoggerThatThrows() {
        AtomicBoolean asked = new AtomicBoolean();
        Handler broken = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (Thread.currentThread().getName().equals("lockkeeper-timer-keeper")) {
                    asked.set(true);
                    throw new IllegalStateException("A logger that throws");
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOGGER.addHandler(broken);
        try {
            timer.start();
            timer.in(Duration.ZERO, () -> {
                throw new IllegalStateException("planted");
            });
            eventually("it was reported", asked::get);
            stillRings();
        } finally {
            LOGGER.removeHandler(broken);
        }
    }
}
