package io.lockkeeper.redis.client;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Clients for the URLs of test servers, whose user, password and host need no decoding. */
final class TestClients {

    private static final Pattern URL = Pattern.compile(
            "(redis|rediss|redis-sentinel|redis-cluster)://(?:(\\w*)(?::([^@]*))?@)?([^/?]+)(?:/(\\w+))?(?:\\?pool=(\\d+))?");

    private TestClients() {}

    static Redis single(String host, int port) {
        return connect("redis://" + host + ":" + port);
    }

    static Redis connect(String url) {
        return connect(url, (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    /** @param tls for the scheme {@code rediss} */
    static Redis connect(String url, SSLSocketFactory tls) {
        Matcher found = URL.matcher(url);
        if (!found.matches()) {
            throw new IllegalArgumentException(url);
        }
        String scheme = found.group(1);
        String path = found.group(5);
        boolean sentinel = scheme.equals("redis-sentinel");
        int database = sentinel || path == null ? 0 : Integer.parseInt(path);
        int pool = found.group(6) == null ? 8 : Integer.parseInt(found.group(6));
        ConnectionSettings access = ConnectionSettings.of(
                credentials(found.group(2), found.group(3)), database, scheme.equals("rediss") ? tls : null);
        List<Address> hosts = new ArrayList<>();
        for (String host : found.group(4).split(",")) {
            hosts.add(Address.parse(host));
        }
        return switch (scheme) {
            case "redis-sentinel" -> RedisClients.sentinel(hosts, path, TestScripts.open(), access, pool, url);
            case "redis-cluster" -> RedisClients.cluster(hosts, access, pool, url);
            default -> RedisClients.single(hosts.get(0), access, pool, url);
        };
    }

    private static @Nullable Credentials credentials(@Nullable String user, @Nullable String password) {
        return Credentials.orNull(user == null || user.isEmpty() ? null : user, password);
    }
}
