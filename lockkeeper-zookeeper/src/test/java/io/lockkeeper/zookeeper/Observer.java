package io.lockkeeper.zookeeper;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.StaticHostProvider;

/** A client beside the store, as an administrator has one. */
final class Observer implements AutoCloseable {

    private final ZooKeeper client;

    private Observer(ZooKeeper client) {
        this.client = client;
    }

    static Observer at(String servers) {
        return new Observer(connect(servers, 30_000));
    }

    /** A client that is connected. */
    static ZooKeeper connect(String servers, int millis) {
        try {
            CountDownLatch connected = new CountDownLatch(1);
            ZooKeeper client = new ZooKeeper(
                    servers,
                    millis,
                    event -> {
                        if (event.getState() == KeeperState.SyncConnected) {
                            connected.countDown();
                        }
                    },
                    new Clients.PlainConfig());
            if (!connected.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("No connection to " + servers);
            }
            return client;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    ZooKeeper client() {
        return client;
    }

    /** The names in a folder; none if it is not there. */
    List<String> names(String folder) {
        try {
            client.sync(folder);
            return client.getChildren(folder, false);
        } catch (KeeperException.NoNodeException none) {
            return List.of();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    void deleteHolders(String folder) {
        delete(folder, true);
    }

    void deleteWaiters(String folder) {
        delete(folder, false);
    }

    private void delete(String folder, boolean holders) {
        Queue queue = Queue.of(names(folder));
        for (NodeName name : queue.names()) {
            Queue.Verdict verdict = queue.verdict(name, Integer.MAX_VALUE);
            if (verdict != null && verdict.holds() == holders) {
                delete(folder + "/" + name);
            }
        }
    }

    /** Ends the session of a keeper, as an administrator can: the server's passwords are made of the ids of sessions. */
    void endSession(Layout layout, String keeperId, String servers) {
        try {
            for (String contact : names(layout.keepers())) {
                if (contact.startsWith(keeperId + "-")) {
                    long session = client.exists(layout.keepers() + "/" + contact, false)
                            .getEphemeralOwner();
                    byte[] password = new byte[16];
                    new Random(session ^ 0xB3415C00L).nextBytes(password);
                    CountDownLatch connected = new CountDownLatch(1);
                    ZooKeeper same = new ZooKeeper(
                            servers,
                            30_000,
                            event -> {
                                if (event.getState() == KeeperState.SyncConnected) {
                                    connected.countDown();
                                }
                            },
                            session,
                            password,
                            false,
                            new StaticHostProvider(new ConnectStringParser(servers).getServerAddresses()),
                            new Clients.PlainConfig());
                    if (!connected.await(60, TimeUnit.SECONDS)) {
                        throw new AssertionError("The session cannot be taken over");
                    }
                    same.close();
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    void delete(String path) {
        try {
            client.delete(path, -1);
        } catch (KeeperException.NoNodeException gone) {
            // It was released just now.
        } catch (Exception e) {
            throw new AssertionError(e);
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
