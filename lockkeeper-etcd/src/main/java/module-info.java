/** Locks in etcd. The client below the store is not exported. */
module io.lockkeeper.etcd {
    requires static org.jspecify;
    requires transitive io.lockkeeper;

    exports io.lockkeeper.etcd;

    provides io.lockkeeper.spi.BackendProvider with
            io.lockkeeper.etcd.EtcdProvider;
}
