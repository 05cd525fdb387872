package io.lockkeeper.benchmarks.peer;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's {@code InterProcessMutex}, one object a thread, on one client. */
final class CuratorPeer implements Peer {

    static final Library LIBRARY = new Library(
            "curator",
            "Curator InterProcessMutex",
            "zookeeper",
            "org.apache.curator:curator-recipes",
            Set.of(Feature.LOCK, Feature.REENTRANT),
            CuratorPeer::new);

    private final CuratorFramework client;

    private CuratorPeer(String url) throws InterruptedException {
        client = CuratorFrameworkFactory.builder()
                .connectString(RawZookeeperPeer.servers(url))
                .sessionTimeoutMs(LEASE_MILLIS)
                .retryPolicy(new ExponentialBackoffRetry(100, 5))
                .build();
        client.start();
        if (!client.blockUntilConnected(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Curator is not connected to " + url);
        }
    }

    @Override
    public Mutex lock(String name) {
        InterProcessMutex mutex = mutex(name);
        return new Mutex() {
            @Override
            public long acquire() throws Exception {
                mutex.acquire();
                return 0;
            }

            @Override
            public void release() throws Exception {
                mutex.release();
            }
        };
    }

    private InterProcessMutex mutex(String name) {
        return new InterProcessMutex(client, "/curator/" + name.replace('/', '_'));
    }

    @Override
    public boolean tryOnce(String name) throws Exception {
        InterProcessMutex mutex = mutex(name);
        boolean had = mutex.acquire(0, TimeUnit.SECONDS);
        if (had) {
            mutex.release();
        }
        return had;
    }

    @Override
    public void close() {
        client.close();
    }
}
