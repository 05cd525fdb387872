package io.lockkeeper.benchmarks.peer;

import java.net.URI;
import java.util.Set;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's registry over Lettuce, default settings apart from the lease (it has 60 s). */
final class SpringPeer implements Peer {

    private static final String ROOT =
            "org.springframework.integration:spring-integration-redis,io.lettuce:lettuce-core";
    private static final Set<Feature> FEATURES = Set.of(Feature.LOCK, Feature.REENTRANT);

    static final Library SPIN = new Library(
            "spring-spin",
            "Spring registry, spin",
            "redis",
            ROOT,
            FEATURES,
            url -> new SpringPeer(url, RedisLockType.SPIN_LOCK));

    static final Library PUB_SUB = new Library(
            "spring-pubsub",
            "Spring registry, pub/sub",
            "redis",
            ROOT,
            FEATURES,
            url -> new SpringPeer(url, RedisLockType.PUB_SUB_LOCK));

    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    private SpringPeer(String url, RedisLockType type) {
        URI uri = URI.create(url);
        connections = new LettuceConnectionFactory(uri.getHost(), uri.getPort());
        connections.afterPropertiesSet();
        connections.start();
        registry = new RedisLockRegistry(connections, "spring", LEASE_MILLIS);
        registry.setRedisLockType(type);
    }

    @Override
    public Mutex lock(String name) {
        return new OfLock(registry.obtain(name));
    }

    @Override
    public void close() {
        registry.destroy();
        connections.destroy();
    }
}
