package io.lockkeeper.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MajorityLock;
import io.lockkeeper.MultiLock;
import io.lockkeeper.SegmentHold;
import io.lockkeeper.SegmentedLock;
import io.lockkeeper.memory.MemoryBackend;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A wait that ends with null or false says in the log who has the lock, if the log is enabled. */
@Timeout(60)
@Isolated("the level of the log is that of the whole process")
class TimeoutLogTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    private final Logger logger = Logger.getLogger("io.lockkeeper");
    private final @Nullable Level before = logger.getLevel();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            lines.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final MemoryBackend store = MemoryBackend.create();
    private final Lockkeeper keeper = Lockkeeper.of(store);
    private final Lockkeeper other = Lockkeeper.builder().note("billing").open(store);

    @BeforeEach
    void enable() {
        handler.setLevel(Level.FINE);
        logger.addHandler(handler);
        logger.setLevel(Level.FINE);
    }

    @AfterEach
    void end() {
        logger.setLevel(before);
        logger.removeHandler(handler);
        keeper.close();
        other.close();
        store.close();
    }

    private void assertLogged(String... parts) throws InterruptedException {
        assertThat(lines.take()).contains(parts);
    }

    @Test
    void eachFormOfOneLockSaysWhoHasIt() throws Exception {
        try (ExclusiveHold hold = other.lock("a").acquire()) {
            DistributedLock lock = keeper.lock("a");
            String[] why = {"The lock 'a' was not acquired within 20ms: held", "by billing pid", "token " + hold.token()
            };
            assertThat(lock.tryAcquire(SHORT)).isNull();
            assertLogged(why);
            assertThat(lock.tryLock(SHORT.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
            assertLogged(why);
            assertThat(lock.tryAcquireAsync(SHORT).get()).isNull();
            assertLogged(why);
            assertThat(lock.ownedBy("request 1").tryLockAsync(SHORT).get()).isFalse();
            assertLogged(why);
            assertThat(keeper.requests().lock("a", "r", Duration.ofSeconds(10), SHORT))
                    .isFalse();
            assertLogged(why);
            // A single try is no wait.
            assertThat(lock.tryAcquire()).isNull();
            assertThat(lock.tryAcquire(Duration.ZERO)).isNull();
            assertThat(lock.tryLock()).isFalse();
            assertThat(lines).isEmpty();
        }
    }

    @Test
    void severalLocksSayWhichOneIsMissing() throws Exception {
        SegmentedLock segments = keeper.segmentedLock("s", 1);
        try (ExclusiveHold hold = other.lock("b").acquire();
                ExclusiveHold third = other.lock("c").acquire();
                SegmentHold segment = other.segmentedLock("s", 1).acquire()) {
            MultiLock both = keeper.multiLock("a", "b");
            String[] why = {both + " was not acquired within 20ms: the lock 'b' is missing, held", "by billing pid"};
            assertThat(both.tryAcquire(SHORT)).isNull();
            assertLogged(why);
            assertThat(both.tryLock(SHORT.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
            assertLogged(why);
            assertThat(segments.tryAcquire(SHORT)).isNull();
            assertLogged("segment 0 held", "by billing pid", "token " + segment.token());
            MajorityLock majority = MajorityLock.of(keeper.lock("a"), keeper.lock("b"), keeper.lock("c"));
            assertThat(majority.tryAcquire(SHORT)).isNull();
            assertLogged("the lock 'b' held", "token " + hold.token(), "token " + third.token());
        }
    }
}
