package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import java.util.Set;

/** Backends for the URLs of ZooKeeper. */
public final class ZookeeperProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public ZookeeperProvider() {}

    @Override
    public String name() {
        return "ZooKeeper";
    }

    @Override
    public Set<Capability> capabilities() {
        return ZookeeperBackend.CAPABILITIES;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("zk", "zookeeper");
    }

    @Override
    public Backend create(String url) {
        return ZookeeperBackend.at(url);
    }
}
