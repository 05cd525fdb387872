package io.lockkeeper.spring.boot3;

import io.lockkeeper.redis.RedisBackend;
import io.lockkeeper.spring.boot.RedisServers;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Reads where the application's Redis is from its {@link RedisConnectionDetails}. */
@AutoConfiguration(after = RedisAutoConfiguration.class)
@ConditionalOnClass({RedisBackend.class, RedisConnectionDetails.class})
public class RedisServersAutoConfiguration {

    @Bean
    @Lazy // A keeper with a URL does not need it, whatever it says.
    @ConditionalOnBean(RedisConnectionDetails.class)
    @ConditionalOnMissingBean
    RedisServers lockkeeperRedisServers(RedisConnectionDetails details, Environment environment) {
        RedisConnectionDetails.Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return new RedisServers(
                    RedisServers.Kind.SENTINEL,
                    nodes(sentinel.getNodes()),
                    sentinel.getMaster(),
                    sentinel.getDatabase(),
                    details.getUsername(),
                    details.getPassword(),
                    sentinel.getUsername(),
                    sentinel.getPassword(),
                    RedisServers.ssl(sentinel.getSslBundle(), environment));
        }
        RedisConnectionDetails.Cluster cluster = details.getCluster();
        if (cluster != null) {
            return of(
                    details,
                    RedisServers.Kind.CLUSTER,
                    nodes(cluster.getNodes()),
                    0,
                    RedisServers.ssl(cluster.getSslBundle(), environment));
        }
        RedisConnectionDetails.Standalone server = details.getStandalone();
        if (server == null) {
            throw new IllegalStateException(
                    "The RedisConnectionDetails bean names neither a server, nor sentinels, nor a"
                            + " cluster; set lockkeeper.url");
        }
        return of(
                details,
                RedisServers.Kind.SINGLE,
                List.of(new RedisServers.Node(server.getHost(), server.getPort())),
                server.getDatabase(),
                RedisServers.ssl(server.getSslBundle(), environment));
    }

    private static RedisServers of(
            RedisConnectionDetails details,
            RedisServers.Kind kind,
            List<RedisServers.Node> nodes,
            int database,
            @Nullable SslBundle ssl) {
        return new RedisServers(
                kind, nodes, "", database, details.getUsername(), details.getPassword(), null, null, ssl);
    }

    private static List<RedisServers.Node> nodes(List<RedisConnectionDetails.Node> nodes) {
        return nodes.stream()
                .map(node -> new RedisServers.Node(node.host(), node.port()))
                .toList();
    }
}
