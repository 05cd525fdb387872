package io.lockkeeper.testkit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Knows whether every thread of this process, but the one that asks, waits for something. */
interface Stillness extends AutoCloseable {

    /** Whether there was a moment during this call at which every other thread waited. */
    boolean prevails();

    @Override
    default void close() {}

    /** By what the kernel says where it can be asked, otherwise by what the JVM says. */
    static Stillness ofThisProcess() {
        return Files.isReadable(Path.of("/proc/self/task")) && Files.exists(Path.of("/proc/thread-self"))
                ? new KernelStillness()
                : new JvmStillness();
    }

    /**
     * For systems without {@code /proc}. The JVM shows a thread as waiting until it runs again, also if it was woken already; so
     * this looks several times, and a machine that is very busy can mislead it.
     */
    final class JvmStillness implements Stillness {

        private static final int LOOKS = 5;

        @Override
        public boolean prevails() {
            for (int i = 0; i < LOOKS; i++) {
                if (i > 0) {
                    LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
                }
                for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false, 1)) {
                    boolean me = info.getThreadId() == Thread.currentThread().getId();
                    if (!me && info.getThreadState() == Thread.State.RUNNABLE && !info.isInNative()) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
