package io.lockkeeper.redis.client;

import org.jspecify.annotations.Nullable;

/**
 * A host and port of a server.
 *
 * @param host a name or a literal address, without brackets
 */
public record Address(String host, int port) {

    /** The longest name of a host. */
    private static final int LONGEST = 255;

    /** Reads {@code host:port} as servers write it, an IPv6 address without brackets; null if it is something else. */
    public static @Nullable Address parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return null;
        }
        String digits = text.substring(colon + 1);
        return digits.matches("[0-9]{1,5}") ? orNull(text.substring(0, colon), Integer.parseInt(digits)) : null;
    }

    /**
     * The address that a server named; null if there can be no such address. The host is shown in messages and logs, so one with
     * line breaks is none.
     */
    static @Nullable Address orNull(String host, long port) {
        boolean possible = port >= 1 && port <= 65535 && host.length() <= LONGEST && host.matches("[!-~]*");
        return possible ? new Address(host, (int) port) : null;
    }

    /**
     * The address that a server named.
     *
     * @throws NoReplyException if there can be no such address
     */
    static Address told(String host, long port) {
        Address told = orNull(host, port);
        if (told == null) {
            throw NoReplyException.malformed("An address of a server that is none");
        }
        return told;
    }

    /** The address as it stands in a URL, an IPv6 address with brackets. */
    public String urlText() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** {@code host:port}, for messages. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
