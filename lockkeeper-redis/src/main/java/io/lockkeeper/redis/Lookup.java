package io.lockkeeper.redis;

import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Finds a host's addresses, within a time limit: the system's own search has none, so it is given a thread to lose. */
final class Lookup {

    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");

    private Lookup() {}

    static InetAddress[] of(String host, Deadline until) throws UnknownHostException, SocketTimeoutException {
        if (LITERAL.matcher(host).matches()) {
            return InetAddress.getAllByName(host);
        }
        FutureTask<InetAddress[]> search = new FutureTask<>(() -> InetAddress.getAllByName(host));
        Thread thread = new Thread(search, "lockkeeper-redis-lookup");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return search.get(until.left(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    // A request in flight is not interruptible; whoever waits looks at it afterwards.
                    interrupted = true;
                } catch (TimeoutException e) {
                    throw new SocketTimeoutException("The search for its address took too long");
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof UnknownHostException unknown) {
                        throw unknown;
                    }
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
