package io.lockkeeper.zookeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.util.Set;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.jspecify.annotations.Nullable;

/**
 * Locks in ZooKeeper. Each keeper has a session of its own, whose timeout is the keeper's lease unless it is set otherwise; what it
 * holds ends with that session.
 *
 * <p>Guaranteed: exclusion survives the loss of a minority of the servers, changes of the leader, and restarts. Tokens are numbers of
 * transactions of the ensemble, so they only grow. Not guaranteed: anything after the data of the ensemble was replaced by an older
 * copy.
 */
public final class ZookeeperBackend implements Backend {

    static final Set<Capability> CAPABILITIES = Set.of(
            Capability.SHARED,
            Capability.PERMITS,
            Capability.QUEUE,
            Capability.FAIR,
            Capability.SIZES,
            Capability.LATCH,
            Capability.PORTABLE,
            Capability.EXTEND,
            Capability.FORCE_RELEASE,
            Capability.EXPIRES,
            Capability.SIGNALS,
            Capability.HAND_OFF,
            Capability.EXCHANGE,
            Capability.STICKY,
            Capability.HOLDERS);

    private final SessionSource source;
    private final Layout layout;
    private volatile @Nullable String storeId;

    ZookeeperBackend(SessionSource source, Layout layout) {
        this.source = source;
        this.layout = layout;
    }

    /**
     * The store that a URL names, such as {@code zk://host1:2181,host2:2181/lockkeeper}. It connects when a keeper opens it.
     *
     * @throws IllegalArgumentException if the URL is malformed
     */
    public static ZookeeperBackend at(String url) {
        return builder().url(given(url, "url")).build();
    }

    /** Settings for a store: a URL or the application's own client, the root, the timeout of sessions. */
    public static ZookeeperBackendBuilder builder() {
        return new ZookeeperBackendBuilder();
    }

    @Override
    public String describe() {
        return "zk://" + source.describe() + layout.root();
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Store open(Keeper keeper) {
        ZookeeperStore store = new ZookeeperStore(this, source, layout, keeper);
        store.start();
        return store;
    }

    /** What the first keeper wrote; written again, as it was, if it is gone. */
    String storeId(Wire wire, Layout layout, Deadline until) {
        while (true) {
            Wire.Node node = Wire.ifThere(wire.read(layout.id(), null), until);
            if (node != null) {
                String id = node.text();
                storeId = id;
                return id;
            }
            String known = storeId;
            String id = known == null ? UUID.randomUUID().toString().replace("-", "") : known;
            Roots.make(wire, layout.id(), id, CreateMode.PERSISTENT, until);
        }
    }

    /** Does nothing: the keepers close their sessions. */
    @Override
    public void close() {}
}
