package io.lockkeeper.redis.client;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What virtual threads have done by platform threads: waiting for a socket.
 *
 * <p>What it keeps: an interrupt breaks nobody's request. The JDK closes the socket on which an interrupted virtual thread waits; that
 * connection carries requests of other threads as well, and none of them could know whether its own was executed. A platform
 * thread is not disturbed, and no other thread has a reason to interrupt one of these. There are as many of them as
 * connections that are waited for by virtual threads, and they end when idle.
 */
final class PlatformThreads {

    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

    private static final ThreadPoolExecutor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "lockkeeper-redis-io");
                thread.setDaemon(true);
                return thread;
            });

    private PlatformThreads() {}

    /** What is done; it is told of trouble with the connection as it would be in its own thread. */
    interface Task<T> {
        T run() throws IOException;
    }

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }

    /** Whether the current thread should not wait for a socket itself. */
    static boolean isNeeded() {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Has it done and waits for the end of it. An interrupt meanwhile is kept for the caller. */
    static <T> T run(Task<T> errand) throws IOException {
        FutureTask<T> task = new FutureTask<>(errand::run);
        THREADS.execute(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrown(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException rethrown(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return cause instanceof IOException e ? e : new IOException(cause);
    }
}
