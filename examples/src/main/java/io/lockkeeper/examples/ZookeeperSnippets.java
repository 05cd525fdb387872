package io.lockkeeper.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.zookeeper.ZookeeperBackend;
import io.lockkeeper.zookeeper.ZookeeperFencing;
import java.time.Duration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;

/** What the documentation shows of ZooKeeper. */
final class ZookeeperSnippets {

    private ZookeeperSnippets() {}

    /** Locks in an ensemble. */
    static void ensemble(String url) throws InterruptedException {
        ZookeeperBackend backend = ZookeeperBackend.builder()
                .url(url) // zk://host1:2181,host2:2181,host3:2181/shop
                .sessionTimeout(Duration.ofSeconds(10)) // default: the keeper's lease
                .build();
        try (Lockkeeper keeper = Lockkeeper.of(backend);
                ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
            System.out.println("paid under token " + hold.token());
        }
    }

    /** Locks that are shared with Curator's mutexes. */
    static void besideCurator(String url) throws InterruptedException {
        ZookeeperBackend backend = ZookeeperBackend.builder()
                .url(url)
                .locksBesideCurator("/locks") // the lock "orders" is new InterProcessMutex(framework, "/locks/orders")
                .build();
        try (Lockkeeper keeper = Lockkeeper.of(backend);
                ExclusiveHold hold = keeper.lock("orders").acquire()) {
            System.out.println("paid under token " + hold.token());
        }
    }

    /** A write that a later holder forbids. */
    static void fencing(ZooKeeper client, ExclusiveHold hold) throws KeeperException {
        ZookeeperFencing guard = ZookeeperFencing.in(client, "/shop/fences");
        guard.write("/shop/till", hold, Op.setData("/shop/till", "42".getBytes(UTF_8), -1)); // or StaleTokenException
    }

    /** Locks in the session of the application's own client. */
    static void own(ZooKeeper client) throws InterruptedException {
        ZookeeperBackend backend =
                ZookeeperBackend.builder().client(() -> client).root("/shop").build();
        try (Lockkeeper keeper = Lockkeeper.of(backend);
                ExclusiveHold hold = keeper.lock("orders/42").acquire()) {
            System.out.println("paid under token " + hold.token());
        }
    }
}
