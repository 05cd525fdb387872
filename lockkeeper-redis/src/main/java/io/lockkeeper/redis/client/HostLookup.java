package io.lockkeeper.redis.client;

import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/** Finds the addresses of a host within a deadline, which the lookup of the JDK does not have. */
final class HostLookup {

    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");

    private HostLookup() {}

    static InetAddress[] of(String host, Deadline until) throws UnknownHostException, SocketTimeoutException {
        if (LITERAL.matcher(host).matches()) {
            return InetAddress.getAllByName(host);
        }
        try {
            return TimedCall.call("lookup", () -> InetAddress.getAllByName(host), until);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownHostException unknown) {
                throw unknown;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
