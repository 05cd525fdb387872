package io.lockkeeper.spring.boot;

import io.lockkeeper.redis.RedisBackend;
import io.lockkeeper.redis.RedisBackendBuilder;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spring.boot.KeeperProperties.StoreChoice;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The Redis of the application, by connections of Lockkeeper's own. */
final class RedisServersStore implements ApplicationStore {

    private final RedisServers servers;

    RedisServersStore(RedisServers servers) {
        this.servers = servers;
    }

    @Override
    public StoreChoice choice() {
        return StoreChoice.REDIS;
    }

    @Override
    public String description() {
        return "the Redis of spring.data.redis at " + addresses();
    }

    @Override
    public Backend backend(KeeperProperties settings) {
        RedisBackendBuilder builder = RedisBackend.builder().url(url());
        if (servers.ssl() != null) {
            builder.sslContext(servers.ssl().createSslContext());
        }
        return builder.build();
    }

    private String addresses() {
        return servers.nodes().stream()
                .map(node -> (node.host().contains(":") && !node.host().startsWith("[")
                                ? "[" + node.host() + "]"
                                : node.host())
                        + ":" + node.port())
                .collect(Collectors.joining(","));
    }

    /** The servers as a URL of Lockkeeper. */
    String url() {
        boolean tls = servers.ssl() != null;
        List<String> options = new ArrayList<>();
        StringBuilder url = new StringBuilder();
        switch (servers.kind()) {
            case SINGLE -> url.append(tls ? "rediss://" : "redis://");
            case SENTINEL -> url.append("redis-sentinel://");
            case CLUSTER -> url.append("redis-cluster://");
        }
        url.append(login()).append(addresses());
        if (servers.kind() == RedisServers.Kind.SENTINEL) {
            url.append('/').append(encoded(servers.master()));
            option(options, "sentinelUser", servers.sentinelUser());
            option(options, "sentinelPassword", servers.sentinelPassword());
        }
        if (servers.database() != 0) {
            url.append('/').append(servers.database());
        }
        if (tls && servers.kind() != RedisServers.Kind.SINGLE) {
            options.add("tls=true");
        }
        return options.isEmpty()
                ? url.toString()
                : url.append('?').append(String.join("&", options)).toString();
    }

    private String login() {
        String user = servers.user() == null ? "" : encoded(servers.user());
        String password = servers.password() == null ? "" : ":" + encoded(servers.password());
        return user.isEmpty() && password.isEmpty() ? "" : user + password + "@";
    }

    private static void option(List<String> options, String name, @Nullable String value) {
        if (value != null) {
            options.add(name + "=" + encoded(value));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
