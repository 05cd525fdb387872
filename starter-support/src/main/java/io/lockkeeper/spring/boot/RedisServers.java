package io.lockkeeper.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.Environment;

/**
 * Where the application's Redis is, in the words that all lines of Spring Boot share.
 *
 * @param kind how the servers stand to each other
 * @param nodes host and port of the server, of the sentinels, or of nodes of the cluster
 * @param master the name of the Sentinel group; empty for other kinds
 * @param user null for the default user
 * @param password null for none
 * @param sentinelUser null for none
 * @param sentinelPassword null for none
 * @param ssl null for connections in clear text
 */
public record RedisServers(
        Kind kind,
        List<Node> nodes,
        String master,
        int database,
        @Nullable String user,
        @Nullable String password,
        @Nullable String sentinelUser,
        @Nullable String sentinelPassword,
        @Nullable SslBundle ssl) {

    /** How the servers stand to each other. */
    public enum Kind {
        SINGLE,
        SENTINEL,
        CLUSTER
    }

    /** One address. */
    public record Node(String host, int port) {}

    public RedisServers {
        nodes = List.copyOf(nodes);
    }

    /**
     * The TLS of connections. Spring Boot keeps it out of the connection details where only the scheme of {@code
     * spring.data.redis.url} asks for it; without this rule the password would be sent in clear text.
     *
     * @param bundle that of the connection details
     */
    public static @Nullable SslBundle ssl(@Nullable SslBundle bundle, Environment environment) {
        boolean byUrl = environment.getProperty("spring.data.redis.url", "").startsWith("rediss:");
        return bundle == null && byUrl ? SslBundle.systemDefault() : bundle;
    }

    /** Never the passwords. */
    @Override
    public String toString() {
        return kind + " " + nodes;
    }
}
