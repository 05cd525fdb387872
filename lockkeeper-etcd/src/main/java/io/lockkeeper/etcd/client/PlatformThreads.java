package io.lockkeeper.etcd.client;

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
 * Platform threads that wait for sockets in place of virtual threads.
 *
 * <p>Invariant: an interrupt breaks no request. The JDK closes the socket on which an interrupted virtual thread waits; that
 * request may have been executed, and its caller could not know whether its request was executed. A
 * platform thread is not affected, and nothing interrupts these. There are as many as connections that virtual threads wait
 * for, and they end when idle.
 */
final class PlatformThreads {

    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

    private static final ThreadPoolExecutor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "lockkeeper-etcd-io");
                thread.setDaemon(true);
                return thread;
            });

    private PlatformThreads() {}

    /** A task on a connection; its exception reaches the caller as if the caller had run it. */
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

    /** Runs a task on a platform thread and waits for its end. An interrupt meanwhile is kept for the caller. */
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
