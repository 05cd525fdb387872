package io.lockkeeper.redis;

import io.lockkeeper.redis.RedisUrl.Kind;
import io.lockkeeper.redis.client.ConnectionSettings;
import io.lockkeeper.redis.client.Credentials;
import io.lockkeeper.redis.client.Redis;
import io.lockkeeper.redis.client.RedisClients;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Makes clients for URLs. Nothing is connected before the first request. */
final class Deployment {

    private Deployment() {}

    /**
     * A server, a Sentinel group or a cluster; not a quorum, whose {@linkplain RedisUrl#members members} are connected one by
     * one.
     *
     * @param tls makes secure sockets; null for those of the system
     * @param credentials called for each new connection to a server that keeps locks; null for those of the URL
     */
    static Redis connect(
            RedisUrl url, @Nullable SSLSocketFactory tls, @Nullable Supplier<RedisCredentials> credentials) {
        SSLSocketFactory sockets =
                !url.tls() ? null : tls != null ? tls : (SSLSocketFactory) SSLSocketFactory.getDefault();
        ConnectionSettings named = access(url.user(), url.password(), url.database(), sockets);
        ConnectionSettings access =
                credentials == null ? named : named.asking(() -> RedisCredentials.forClient(credentials.get()));
        return switch (url.kind()) {
            case SINGLE -> RedisClients.single(url.hosts().get(0), access, url.pool(), url.describe());
            case SENTINEL ->
                RedisClients.sentinel(
                        url.hosts(),
                        url.master(),
                        access(url.sentinelUser(), url.sentinelPassword(), 0, sockets),
                        access,
                        url.pool(),
                        url.describe());
            case CLUSTER -> RedisClients.cluster(url.hosts(), access, url.pool(), url.describe());
            case REDLOCK ->
                throw new IllegalArgumentException(
                        "'" + Kind.REDLOCK.scheme + "://' names several servers; connect its members one by one");
        };
    }

    private static ConnectionSettings access(
            @Nullable String user, @Nullable String password, int database, @Nullable SSLSocketFactory tls) {
        return ConnectionSettings.of(Credentials.orNull(user, password), database, tls);
    }

    static Redis connect(String url) {
        return connect(RedisUrl.parse(url), null, null);
    }

    static Redis single(String host, int port) {
        return connect("redis://" + host + ":" + port);
    }
}
