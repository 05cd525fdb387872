package io.lockkeeper.benchmarks;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;

/** Lockkeeper, the JDK way. */
final class LockkeeperPeer implements Peer {

    private final Lockkeeper keeper;

    LockkeeperPeer(String url) {
        keeper = Lockkeeper.connect(url);
    }

    @Override
    public String name() {
        return "Lockkeeper";
    }

    @Override
    public Mutex mutex(String name) {
        DistributedLock lock = keeper.lock(name);
        return work -> {
            lock.lock();
            try {
                work.run();
            } finally {
                lock.unlock();
            }
        };
    }

    @Override
    public void close() {
        keeper.close();
    }
}
