package io.lockkeeper.benchmarks;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's lock with its default settings. */
final class RedissonPeer implements Peer {

    private final RedissonClient client;

    RedissonPeer(String url) {
        Config config = new Config();
        config.useSingleServer().setAddress(url);
        client = Redisson.create(config);
    }

    @Override
    public String name() {
        return "Redisson";
    }

    @Override
    public Mutex mutex(String name) {
        RLock lock = client.getLock(name);
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
        client.shutdown();
    }
}
