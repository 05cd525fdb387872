package io.lockkeeper.examples;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.etcd.EtcdBackend;
import java.time.Duration;

/** What the documentation shows of etcd. */
final class EtcdSnippets {

    private EtcdSnippets() {}

    /** Locks in a cluster. */
    static void cluster(String url) throws InterruptedException {
        EtcdBackend backend = EtcdBackend.builder()
                .url(url) // etcd://host1:2379,host2:2379,host3:2379/shop
                .sessionTimeout(Duration.ofSeconds(10)) // default: the lease of each claim
                .build();
        try (Lockkeeper keeper = Lockkeeper.of(backend);
                ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
            System.out.println("paid under token " + hold.token());
        }
    }

    /** Data in the same etcd that a holder that has lost its lock cannot change. */
    static void fenced(String url) throws InterruptedException {
        try (EtcdBackend backend = EtcdBackend.of(url);
                Lockkeeper keeper = Lockkeeper.of(backend);
                ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
            backend.fencing().write("shop/orders/42", "paid", hold);
        }
    }
}
