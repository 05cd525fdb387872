package io.lockkeeper.spring.boot4;

import io.lockkeeper.redis.RedisBackend;
import io.lockkeeper.spring.boot.RedisServers;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Reads where the application's Redis is from its {@link DataRedisConnectionDetails}. */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({RedisBackend.class, DataRedisConnectionDetails.class})
public class RedisServersAutoConfiguration {

    @Bean
    @Lazy // A keeper with a URL does not need it, whatever it says.
    @ConditionalOnBean(DataRedisConnectionDetails.class)
    @ConditionalOnMissingBean
    RedisServers lockkeeperRedisServers(DataRedisConnectionDetails details, Environment environment) {
        DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
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
                    RedisServers.ssl(details.getSslBundle(), environment));
        }
        DataRedisConnectionDetails.Cluster cluster = details.getCluster();
        if (cluster != null) {
            return of(
                    details,
                    RedisServers.Kind.CLUSTER,
                    nodes(cluster.getNodes()),
                    0,
                    RedisServers.ssl(details.getSslBundle(), environment));
        }
        DataRedisConnectionDetails.Standalone server = details.getStandalone();
        if (server == null) {
            throw new IllegalStateException(
                    "The application's Redis is neither a server, nor sentinels, nor a cluster; other settings, such as a"
                            + " master and its replicas, are not supported: set lockkeeper.url");
        }
        return of(
                details,
                RedisServers.Kind.SINGLE,
                List.of(new RedisServers.Node(server.getHost(), server.getPort())),
                server.getDatabase(),
                RedisServers.ssl(details.getSslBundle(), environment));
    }

    private static RedisServers of(
            DataRedisConnectionDetails details,
            RedisServers.Kind kind,
            List<RedisServers.Node> nodes,
            int database,
            @Nullable SslBundle ssl) {
        return new RedisServers(
                kind, nodes, "", database, details.getUsername(), details.getPassword(), null, null, ssl);
    }

    private static List<RedisServers.Node> nodes(List<DataRedisConnectionDetails.Node> nodes) {
        return nodes.stream()
                .map(node -> new RedisServers.Node(node.host(), node.port()))
                .toList();
    }
}
