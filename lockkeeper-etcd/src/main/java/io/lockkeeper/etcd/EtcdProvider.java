package io.lockkeeper.etcd;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import java.util.Set;

/** Backends for the URLs of etcd. */
public final class EtcdProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public EtcdProvider() {}

    @Override
    public String name() {
        return "etcd";
    }

    @Override
    public Set<Capability> capabilities() {
        return EtcdBackend.CAPABILITIES;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("etcd", "etcds");
    }

    @Override
    public Backend create(String url) {
        return EtcdBackend.of(url);
    }
}
