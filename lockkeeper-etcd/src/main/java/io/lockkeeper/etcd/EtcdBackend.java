package io.lockkeeper.etcd;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.Fencing;
import io.lockkeeper.etcd.client.Etcd;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Locks in etcd, by the JSON gateway of its servers. Each keeper has a lease in etcd for each length of lease that its claims have, in
 * whole seconds and at least 2; what it holds ends with that lease. Fixed leases end by etcd's clock too, up to a quarter and three seconds
 * late if their process has died.
 *
 * <p>Guaranteed: exclusion survives the loss of a minority of the servers, changes of the leader, and restarts. Tokens are revisions of
 * the store, so they only grow. Not guaranteed: anything after the data of etcd were replaced by an older copy.
 */
public final class EtcdBackend implements Backend {

    static final Set<Capability> CAPABILITIES =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(Capability.LEASES, Capability.VOTES)));

    private final EtcdSettings settings;
    private final Layout layout;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable String storeId;
    private @Nullable Etcd guards;

    EtcdBackend(EtcdSettings settings) {
        this.settings = settings;
        this.layout = new Layout(settings.prefix());
    }

    /**
     * The store that a URL names, such as {@code etcd://host1:2379,host2:2379/lockkeeper}. It connects when a keeper opens it.
     *
     * @throws IllegalArgumentException if the URL is malformed
     */
    public static EtcdBackend of(String url) {
        return builder().url(given(url, "url")).build();
    }

    /** Settings for a store: servers, prefix, credentials, TLS, the timeout of sessions. */
    public static EtcdBackendBuilder builder() {
        return new EtcdBackendBuilder();
    }

    @Override
    public String describe() {
        return settings.describe();
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Store open(Keeper keeper) {
        EtcdStore store = new EtcdStore(this, settings.connect(), layout, keeper, settings.sessionTimeout());
        boolean opened = false;
        try {
            store.start();
            opened = true;
            return store;
        } finally {
            if (!opened) {
                store.abandon();
            }
        }
    }

    /** A guard for data in this etcd. */
    public EtcdFencing fencing() {
        lock.lock();
        try {
            Etcd etcd = guards;
            if (etcd == null) {
                etcd = settings.connect();
                guards = etcd;
            }
            return new EtcdFencing(etcd, layout);
        } finally {
            lock.unlock();
        }
    }

    /** What the store is given if it has no id. */
    String knownId() {
        String known = storeId;
        return known == null ? UUID.randomUUID().toString().replace("-", "") : known;
    }

    void idIs(String id) {
        storeId = id;
    }

    /** Closes the connections of {@link Fencing guards}; the keepers close those of their stores. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (guards != null) {
                guards.close();
                guards = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
