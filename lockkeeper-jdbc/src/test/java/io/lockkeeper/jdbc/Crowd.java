package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.ChildJvm;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Many threads, or several processes with many threads together, that do the same at once. */
final class Crowd {

    static final int THREADS = 16;
    static final int PROCESSES = 4;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** What thread number {@code index} does. */
    interface Task<T> {
        T run(int index) throws Exception;
    }

    private Crowd() {}

    static <T> List<T> threads(int count, Task<T> task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(count);
        try {
            CountDownLatch ready = new CountDownLatch(count);
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int index = i;
                Callable<T> one = () -> {
                    ready.countDown();
                    ready.await();
                    return task.run(index);
                };
                futures.add(pool.submit(one));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    /** Processes that run a job of {@link IdiomProgram} with four threads each; the sum of what they report. */
    static long processes(SqlDatabase database, String job, String table, int rounds) {
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                children.add(ChildJvm.start(
                        IdiomProgram.class,
                        database.url(),
                        database.user(),
                        database.password(),
                        job,
                        table,
                        Integer.toString(rounds),
                        Integer.toString(i)));
            }
            children.forEach(child -> expect(child, "ready"));
            children.forEach(child -> child.send("go"));
            long sum = 0;
            for (ChildJvm child : children) {
                sum += Long.parseLong(child.receive(PATIENCE));
            }
            return sum;
        } finally {
            children.forEach(ChildJvm::close);
        }
    }

    private static void expect(ChildJvm child, String line) {
        String said = child.receive(PATIENCE);
        if (!said.equals(line)) {
            throw new AssertionError("Child " + child.pid() + " said '" + said + "' instead of '" + line + "'");
        }
    }
}
