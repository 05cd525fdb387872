package io.lockkeeper.etcd.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Finds the addresses of a host within a deadline, which the lookup of the JDK does not have. */
final class HostLookup {

    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");

    private HostLookup() {}

    static InetAddress[] of(String host, Deadline until) throws IOException {
        if (LITERAL.matcher(host).matches()) {
            return InetAddress.getAllByName(host);
        }
        FutureTask<InetAddress[]> lookup = new FutureTask<>(() -> InetAddress.getAllByName(host));
        Thread thread = new Thread(lookup, "lockkeeper-etcd-lookup");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return lookup.get(Math.max(0, until.left()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    throw new SocketTimeoutException("The lookup of " + host + " took too long");
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
