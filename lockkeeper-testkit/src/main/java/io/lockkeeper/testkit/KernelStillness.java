package io.lockkeeper.testkit;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the kernel which threads of this process sleep, and from the JVM what they wait for.
 *
 * <p><b>Invariant.</b> It says that stillness prevails only if there was a moment at which every thread slept and none had been woken.
 * The kernel counts a thread as running from the moment it is woken, long before it runs on a busy machine (the JVM shows it as
 * waiting until then). And every thread is looked at twice: if it slept both times, and was given no processor in between, then it slept
 * all the time from the first look to the second. All first looks come before all second ones, so there is a moment between them
 * at which all slept. With one look each, a thread that was seen asleep could be woken by one that was not looked at yet, which
 * then falls asleep before it is.
 *
 * <p>A thread that the JVM has stopped, for a garbage collection say, sleeps too. But then this one stops as well when it comes
 * back from reading a file, so not both looks fall into it.
 *
 * <p>Threads of the compiler do not count by themselves, or time would stand still while code is compiled that nobody waits for.
 *
 * <p><b>Asleep and yet about to run.</b> A thread may sleep although nothing in the test keeps it from going on: it waits for a lock
 * inside the JVM that a compiler thread holds, it naps for a millisecond until a handshake is over, another thread initializes a
 * class for it, or a monitor was left to it without a wake-up and its own timed look will find that (monitors before JDK 24 do so by
 * design). The JVM shows all these as runnable or blocked, never as waiting. So between the two looks every thread of the application
 * must be waiting in the eyes of the JVM too, except those that were found in a blocking read, which no test waits for.
 */
final class KernelStillness implements Stillness {

    private static final File TASKS = new File("/proc/self/task");

    private final ByteBuffer buffer = ByteBuffer.allocate(1024);
    private final Map<String, Task> known = new HashMap<>();
    private final JvmWaits waits = new JvmWaits();
    private @Nullable String me;
    private @Nullable String lastBusy;

    /** The files of a thread, open: reading them again is far cheaper than opening them. */
    private record Task(FileChannel stat, FileChannel schedstat) implements Closeable {

        static Task open(String id) throws IOException {
            Path folder = TASKS.toPath().resolve(id);
            FileChannel stat = FileChannel.open(folder.resolve("stat"));
            try {
                return new Task(stat, FileChannel.open(folder.resolve("schedstat")));
            } catch (IOException e) {
                stat.close();
                throw e;
            }
        }

        @Override
        public void close() throws IOException {
            stat.close();
            schedstat.close();
        }
    }

    @Override
    public boolean prevails() {
        String busy = lastBusy;
        lastBusy = null;
        if (busy != null && runs(busy) == null) {
            // If it has ended, the next call finds that out.
            lastBusy = known.containsKey(busy) ? busy : null;
            return false;
        }
        Map<String, String> first = look();
        return first != null && waits.all() && first.equals(look());
    }

    /** How often each thread was given a processor; null if one does not sleep. */
    private @Nullable Map<String, String> look() {
        String[] tasks = TASKS.list();
        if (tasks == null) {
            throw new IllegalStateException(TASKS + " cannot be read");
        }
        String self = self();
        Map<String, String> seen = new HashMap<>();
        for (String task : tasks) {
            if (!task.equals(self)) {
                String runs = runs(task);
                if (runs == null) {
                    lastBusy = task;
                    return null;
                }
                seen.put(task, runs);
            }
        }
        return seen;
    }

    /** How often it was given a processor, empty if it does not count; null if it does not sleep, or is no more. */
    private @Nullable String runs(String id) {
        try {
            Task task = known.get(id);
            if (task == null) {
                task = Task.open(id);
                known.put(id, task);
            }
            String stat = read(task.stat);
            int name = stat.indexOf('(') + 1;
            if (stat.startsWith("C1 Comp", name) || stat.startsWith("C2 Comp", name)) {
                return "";
            }
            boolean sleeps = stat.startsWith(") S", stat.lastIndexOf(')'));
            return sleeps ? read(task.schedstat) : null;
        } catch (IOException ended) {
            forget(id);
            return null;
        }
    }

    private String read(FileChannel file) throws IOException {
        buffer.clear();
        int length = file.read(buffer, 0);
        if (length <= 0) {
            throw new IOException("The thread has ended");
        }
        return new String(buffer.array(), 0, length, StandardCharsets.ISO_8859_1);
    }

    private void forget(String id) {
        try (Task ended = known.remove(id)) {
            lastBusy = null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        List.copyOf(known.keySet()).forEach(this::forget);
    }

    private String self() {
        if (me == null) {
            try {
                me = Objects.requireNonNull(Files.readSymbolicLink(Path.of("/proc/thread-self"))
                                .getFileName())
                        .toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return me;
    }
}
