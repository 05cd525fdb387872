package io.lockkeeper.redis;

import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.quorum.QuorumBuilder;
import io.lockkeeper.redis.RedisUrl.Kind;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import java.util.EnumSet;
import java.util.Set;

/** Backends for the URLs of Redis; {@code redlock://} is a {@link Quorum} of single servers. */
public final class RedisProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public RedisProvider() {}

    @Override
    public String name() {
        return "Redis";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("redis", "rediss", "redis-sentinel", "redis-cluster", "redlock");
    }

    @Override
    public Backend create(String url) {
        RedisUrl place = RedisUrl.parse(url);
        return place.kind() == Kind.REDLOCK ? quorum(place) : RedisBackend.at(url);
    }

    private static Backend quorum(RedisUrl url) {
        QuorumBuilder quorum = Quorum.builder();
        for (RedisUrl member : url.members()) {
            Backend backend = RedisBackend.builder().place(member).build();
            if (url.durable()) {
                quorum.durableMember(backend);
            } else {
                quorum.member(backend);
            }
        }
        if (url.quorum() > 0) {
            quorum.quorum(url.quorum());
        }
        if (url.longestLease() != null) {
            quorum.longestLease(url.longestLease());
        }
        if (url.nodeTimeout() != null) {
            quorum.nodeTimeout(url.nodeTimeout());
        }
        if (url.attempts() > 0) {
            quorum.attempts(url.attempts());
        }
        return quorum.build();
    }
}
