package io.lockkeeper.redis;

import io.lockkeeper.redis.RedisUrl.Kind;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Ways to a Redis deployment. Nothing is connected before the first request. */
final class Deployment {

    private Deployment() {}

    /**
     * A server, a Sentinel group or a cluster; not a quorum, whose {@linkplain RedisUrl#members members} are connected one by
     * one.
     *
     * @param tls makes secure sockets; null for those of the system
     * @param credentials asked at each new connection to a server that keeps locks; null for those of the URL
     */
    static Redis connect(
            RedisUrl url, @Nullable SSLSocketFactory tls, @Nullable Supplier<RedisCredentials> credentials) {
        SSLSocketFactory sockets =
                !url.tls() ? null : tls != null ? tls : (SSLSocketFactory) SSLSocketFactory.getDefault();
        Access named = Access.of(RedisCredentials.orNull(url.user(), url.password()), url.database(), sockets);
        Access access = credentials == null ? named : named.asking(credentials);
        return switch (url.kind()) {
            case SINGLE -> {
                Address server = url.hosts().get(0);
                yield new PrimaryRedis(new FixedPrimary(new Pool(server, access, url.pool()), url.describe()));
            }
            case SENTINEL -> {
                Access toSentinels =
                        Access.of(RedisCredentials.orNull(url.sentinelUser(), url.sentinelPassword()), 0, sockets);
                yield new PrimaryRedis(new SentinelPrimary(url, toSentinels, access));
            }
            case CLUSTER -> new ClusterRedis(new ClusterNodes(url, access));
            case REDLOCK ->
                throw new IllegalArgumentException(
                        "'" + Kind.REDLOCK.scheme + "://' names several servers; connect its members one by one");
        };
    }

    static Redis connect(String url) {
        return connect(RedisUrl.parse(url), null, null);
    }

    static Redis single(String host, int port) {
        return connect("redis://" + host + ":" + port);
    }
}
