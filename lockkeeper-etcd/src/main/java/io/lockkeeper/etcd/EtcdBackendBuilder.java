package io.lockkeeper.etcd;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.etcd.client.Address;
import io.lockkeeper.etcd.client.Credentials;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.LeaseTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link EtcdBackend}. */
public final class EtcdBackendBuilder {

    private static final Duration SHORTEST = Duration.ofSeconds(EtcdPolicy.SHORTEST_SECONDS);

    private List<Address> servers = List.of();
    private @Nullable String prefix;
    private @Nullable Supplier<Credentials> credentials;
    private @Nullable SSLContext context;
    private boolean tls;
    private @Nullable Duration sessionTimeout;

    EtcdBackendBuilder() {}

    /**
     * Sets where etcd is: {@code etcd://[user:password@]host[:port],…[/prefix]}, or {@code etcds://} for TLS. The ports are those of
     * the servers' client URLs. User and password are percent-encoded.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public EtcdBackendBuilder url(String url) {
        EtcdUrl parsed = EtcdUrl.parse(given(url, "url"));
        servers = parsed.servers();
        tls = parsed.tls();
        if (parsed.prefix() != null) {
            prefix = parsed.prefix();
        }
        Credentials named = parsed.credentials();
        if (named != null) {
            credentials = () -> named;
        }
        return this;
    }

    /**
     * Sets the servers, each as {@code host:port} of a client URL, instead of a {@link #url}. Requests go to one of them, and to
     * another one when it fails.
     *
     * @throws IllegalArgumentException if one is malformed, or none is given
     */
    public EtcdBackendBuilder endpoints(String... hosts) {
        given(hosts, "hosts");
        if (hosts.length == 0) {
            throw new IllegalArgumentException("No endpoint is given; name at least one, such as 'localhost:2379'");
        }
        List<Address> named = new ArrayList<>();
        for (String host : hosts) {
            named.add(EtcdUrl.server(given(host, "host")));
        }
        servers = List.copyOf(named);
        return this;
    }

    /**
     * Sets the prefix of all keys, before a slash. Default: that of the URL, or {@code lockkeeper}. Stores with different prefixes know
     * nothing of each other. A user of etcd needs the permission {@code readwrite} on this prefix, and no other.
     *
     * @throws IllegalArgumentException if it cannot be a prefix
     */
    public EtcdBackendBuilder prefix(String prefix) {
        this.prefix = EtcdUrl.prefix(given(prefix, "prefix"));
        return this;
    }

    /** Sets a supplier of user and password. It is called at each login, and must not block for long. */
    public EtcdBackendBuilder credentials(Supplier<EtcdCredentials> supplier) {
        given(supplier, "supplier");
        credentials = () -> given(supplier.get(), "credentials").forClient();
        return this;
    }

    /**
     * Turns TLS on, with these trusted authorities and this client certificate. Default: with {@code etcds://} those of the JVM. The host
     * name in the server's certificate is always checked.
     */
    public EtcdBackendBuilder sslContext(SSLContext context) {
        this.context = given(context, "context");
        this.tls = true;
        return this;
    }

    /**
     * Sets the time after which what a dead process held is free, for all leases that are renewed. Default: the lease of each claim,
     * in whole seconds.
     *
     * @throws IllegalArgumentException if it is shorter than 2 s or longer than a day
     */
    public EtcdBackendBuilder sessionTimeout(Duration timeout) {
        given(timeout, "timeout");
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LeaseTimes.LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "A session in etcd cannot have a timeout of " + Durations.text(timeout) + "; give it 2s to 1d");
        }
        sessionTimeout = timeout;
        return this;
    }

    /**
     * Returns the store. It connects when a keeper opens it.
     *
     * @throws IllegalArgumentException if no server is named
     */
    public EtcdBackend build() {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException(
                    "No server is named; give a url, such as 'etcd://localhost:2379', or endpoints");
        }
        SSLContext given = context;
        SSLSocketFactory factory = !tls
                ? null
                : given == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : given.getSocketFactory();
        return new EtcdBackend(new EtcdSettings(
                servers, prefix == null ? EtcdPolicy.DEFAULT_PREFIX : prefix, factory, credentials, sessionTimeout));
    }
}
