package io.lockkeeper.redis;

import io.lockkeeper.redis.RedisUrl.Kind;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;

/** Ways to a Redis deployment. Nothing is connected before the first request. */
final class Deployment {

    private Deployment() {}

    /**
     * A server, a Sentinel group or a cluster; not a quorum, whose {@linkplain RedisUrl#members members} are connected one by
     * one.
     *
     * @param tls makes secure sockets; null for those of the system
     */
    static Redis connect(RedisUrl url, @Nullable SSLSocketFactory tls) {
        SSLSocketFactory sockets =
                !url.tls() ? null : tls != null ? tls : (SSLSocketFactory) SSLSocketFactory.getDefault();
        Access access = new Access(url.user(), url.password(), url.database(), sockets);
        return switch (url.kind()) {
            case SINGLE -> {
                HostAndPort server = url.hosts().get(0);
                yield new PrimaryRedis(new FixedPrimary(new Pool(server, access, url.pool()), url.describe()));
            }
            case SENTINEL -> {
                Access toSentinels = new Access(url.sentinelUser(), url.sentinelPassword(), 0, sockets);
                yield new PrimaryRedis(new SentinelPrimary(url, toSentinels, access));
            }
            case CLUSTER -> new ClusterRedis(new ClusterNodes(url, access));
            case REDLOCK ->
                throw new IllegalArgumentException(
                        "'" + Kind.REDLOCK.scheme + "://' names several servers; connect its members one by one");
        };
    }

    /** Through a client that the application made and will close. */
    static Redis through(UnifiedJedis client) {
        if (client instanceof RedisClusterClient cluster) {
            return new ClusterClientRedis(cluster, cluster::getConnectionFromSlot, cluster::getClusterNodes);
        }
        return new ClientRedis(client);
    }

    static Redis connect(String url) {
        return connect(RedisUrl.parse(url), null);
    }

    static Redis single(String host, int port) {
        return connect("redis://" + host + ":" + port);
    }
}
