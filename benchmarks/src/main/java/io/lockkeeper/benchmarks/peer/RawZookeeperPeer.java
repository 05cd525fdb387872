package io.lockkeeper.benchmarks.peer;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** The floor on ZooKeeper: the recipe of its manual on the plain client, with nothing for lost replies or ended sessions. */
final class RawZookeeperPeer implements Peer {

    static final Library LIBRARY = new Library(
            "raw-zookeeper",
            "raw ZooKeeper client",
            "zookeeper",
            "org.apache.zookeeper:zookeeper",
            Set.of(Feature.LOCK),
            RawZookeeperPeer::new);

    private final ZooKeeper client;

    private RawZookeeperPeer(String url) throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        client = new ZooKeeper(servers(url), LEASE_MILLIS, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        if (!connected.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The client is not connected to " + url);
        }
        folder("/raw");
    }

    /** Host and port of a URL like {@code zk://host:port/root}. */
    static String servers(String url) {
        return url.replaceFirst("^zk://", "").replaceFirst("/.*$", "");
    }

    private String folder(String path) {
        try {
            return client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException there) {
            return path;
        } catch (KeeperException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Mutex lock(String name) {
        String folder = folder("/raw/" + name.replace('/', '_'));
        return new Mutex() {
            private String mine = "";

            @Override
            public long acquire() throws Exception {
                mine = client.create(
                        folder + "/n", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
                awaitTurn(folder, mine);
                return 0;
            }

            @Override
            public void release() throws Exception {
                client.delete(mine, -1);
            }
        };
    }

    private void awaitTurn(String folder, String mine) throws KeeperException, InterruptedException {
        String name = mine.substring(folder.length() + 1);
        while (true) {
            List<String> queue =
                    client.getChildren(folder, false).stream().sorted().toList();
            int place = queue.indexOf(name);
            if (place == 0) {
                return;
            }
            CountDownLatch gone = new CountDownLatch(1);
            if (client.exists(folder + "/" + queue.get(place - 1), event -> gone.countDown()) != null) {
                gone.await();
            }
        }
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
