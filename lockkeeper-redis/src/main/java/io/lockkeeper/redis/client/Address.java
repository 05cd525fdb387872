package io.lockkeeper.redis.client;

import org.jspecify.annotations.Nullable;

/**
 * A host and port of a server.
 *
 * @param host a name or a literal address, without brackets
 */
public record Address(String host, int port) {

    /** Reads {@code host:port} as servers write it, an IPv6 address without brackets; null if it is something else. */
    public static @Nullable Address parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            return null;
        }
        String digits = text.substring(colon + 1);
        int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
        return port < 1 || port > 65535 ? null : new Address(text.substring(0, colon), port);
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
