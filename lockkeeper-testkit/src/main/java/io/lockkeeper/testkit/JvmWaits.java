package io.lockkeeper.testkit;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Whether every thread of the application waits in the eyes of the JVM: in {@code park}, {@code wait} or {@code sleep}, and neither
 * in the JVM itself nor for a monitor. It runs nothing in the JVM's own threads, so that a look at the kernel before and after it
 * sees them asleep.
 *
 * <p>A thread that is found in a blocking read of a file, a pipe or a socket is remembered as one that reads; the thread that reads the
 * commands of the build tool is always there. That costs a stack trace, which wakes a thread of the JVM, so the look that finds one does
 * not count, and the next one does.
 */
final class JvmWaits {

    private static final Set<String> READERS = Set.of("java.io", "java.net", "sun.nio.ch");

    private final ThreadGroup root;
    private final Set<Thread> reading = Collections.newSetFromMap(new WeakHashMap<>());
    private Thread[] threads = new Thread[64];

    JvmWaits() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        root = group;
    }

    boolean all() {
        int count = root.enumerate(threads, true);
        while (count == threads.length) {
            threads = new Thread[2 * threads.length];
            count = root.enumerate(threads, true);
        }
        for (int i = 0; i < count; i++) {
            if (!waits(threads[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean waits(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        // Threads of the JVM and of its libraries; they wait in native code, as the reader of signals does.
        if (thread == Thread.currentThread()
                || group == null
                || group == root
                || group.getName().equals("InnocuousThreadGroup")) {
            return true;
        }
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED, NEW -> true;
            case BLOCKED -> false;
            case RUNNABLE -> {
                boolean known = reading.contains(thread);
                if (!known && reads(thread)) {
                    reading.add(thread);
                }
                yield known;
            }
        };
    }

    private static boolean reads(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        if (stack.length == 0 || !stack[0].isNativeMethod()) {
            return false;
        }
        String type = stack[0].getClassName();
        return READERS.contains(type.substring(0, type.lastIndexOf('.')));
    }
}
