package io.lockkeeper.etcd.client;

/**
 * A host and port of a server.
 *
 * @param host a name or a literal address, without brackets
 */
public record Address(String host, int port) {

    /** {@code host:port}, as it stands in a URL and in a header; an IPv6 address has brackets. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
