package io.lockkeeper.etcd;

import io.lockkeeper.etcd.client.Address;
import io.lockkeeper.etcd.client.Credentials;
import io.lockkeeper.etcd.client.Etcd;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where etcd is and how it is reached.
 *
 * @param tls null for clear text
 * @param credentials null for none
 * @param sessionTimeout null for the lease of each claim
 */
record EtcdSettings(
        List<Address> servers,
        String prefix,
        @Nullable SSLSocketFactory tls,
        @Nullable Supplier<Credentials> credentials,
        @Nullable Duration sessionTimeout) {

    Etcd connect() {
        return new Etcd(servers, tls, credentials);
    }

    /** As a URL, without a password. */
    String describe() {
        return (tls == null ? "etcd://" : "etcds://")
                + servers.stream().map(Address::toString).collect(Collectors.joining(",")) + "/" + prefix;
    }
}
