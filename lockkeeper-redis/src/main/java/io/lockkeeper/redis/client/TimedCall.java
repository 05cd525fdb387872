package io.lockkeeper.redis.client;

import java.net.SocketTimeoutException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls that have no timeout of their own, each on a thread that is abandoned if the call takes too long. */
final class TimedCall {

    private TimedCall() {}

    /**
     * Waits for a call until a deadline. An interrupt does not end it, and is kept.
     *
     * @throws ExecutionException if the call failed
     * @throws SocketTimeoutException if it did not end in time
     */
    static <T> T call(String what, Callable<T> call, Deadline until) throws ExecutionException, SocketTimeoutException {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "lockkeeper-redis-" + what);
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get(until.left(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    throw new SocketTimeoutException("The " + what + " took too long");
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
