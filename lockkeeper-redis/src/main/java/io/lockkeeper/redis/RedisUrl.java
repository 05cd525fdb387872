package io.lockkeeper.redis;

import io.lockkeeper.redis.client.Address;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, as people write it:
 *
 * <pre>
 * redis://[user[:password]@]host[:port][/database]          one server; rediss:// by TLS
 * redis-sentinel://[user:password@]host[:port],…/master[/database]
 * redis-cluster://[user:password@]host[:port],…
 * redlock://[user:password@]host[:port],…[/database]        independent servers that vote
 * </pre>
 *
 * followed by options like {@code ?prefix=app&pool=16}: {@code prefix}, {@code minReplicas}, {@code pool} (connections to each server), {@code tls=true} (all but the
 * first form, which has a scheme for it), {@code sentinelUser} and {@code sentinelPassword}, {@code quorum}, {@code longestLease=60s}, {@code nodeTimeout=50ms}, {@code durable=true} and {@code attempts=3} (of those that vote). User and password are percent-encoded.
 *
 * @param hosts the servers, or the sentinels
 * @param user null for the default user
 * @param password null if none was given
 * @param master the name of the Sentinel group; empty for other kinds
 * @param prefix null if none was given
 * @param quorum how many members have to agree; 0 if it was not given
 * @param longestLease see {@link io.lockkeeper.quorum.QuorumBuilder#longestLease}; null if it was not given
 * @param nodeTimeout see {@link io.lockkeeper.quorum.QuorumBuilder#nodeTimeout}; null if it was not given
 * @param durable whether all members are {@linkplain io.lockkeeper.quorum.QuorumBuilder#durableMember durable}
 * @param attempts see {@link io.lockkeeper.quorum.QuorumBuilder#attempts}; 0 if it was not given
 */
record RedisUrl(
        Kind kind,
        List<Address> hosts,
        @Nullable String user,
        @Nullable String password,
        String master,
        int database,
        boolean tls,
        @Nullable String prefix,
        int minReplicas,
        int pool,
        @Nullable String sentinelUser,
        @Nullable String sentinelPassword,
        int quorum,
        @Nullable Duration longestLease,
        @Nullable Duration nodeTimeout,
        boolean durable,
        int attempts) {

    static final int USUAL_POOL = 8;

    /** How the servers stand to each other. */
    enum Kind {
        SINGLE("redis", 6379, "redis://localhost:6379"),
        SENTINEL("redis-sentinel", 26379, "redis-sentinel://host1,host2,host3/mymaster"),
        CLUSTER("redis-cluster", 6379, "redis-cluster://host1:7000,host2:7000,host3:7000"),
        REDLOCK("redlock", 6379, "redlock://host1,host2,host3,host4,host5");

        final String scheme;
        final int port;
        final String example;

        Kind(String scheme, int port, String example) {
            this.scheme = scheme;
            this.port = port;
            this.example = example;
        }
    }

    RedisUrl {
        hosts = List.copyOf(hosts);
    }

    /** @throws IllegalArgumentException if it is malformed: with which part, what is wrong, and an example; never the password */
    static RedisUrl parse(String url) {
        return new RedisUrlParser(url).parse();
    }

    /** The members of a quorum, each as a single server. */
    List<RedisUrl> members() {
        return hosts.stream()
                .map(host -> new RedisUrl(
                        Kind.SINGLE,
                        List.of(host),
                        user,
                        password,
                        "",
                        database,
                        tls,
                        prefix,
                        minReplicas,
                        pool,
                        null,
                        null,
                        0,
                        null,
                        null,
                        false,
                        0))
                .toList();
    }

    /** As a URL, without user, password and options. */
    String describe() {
        String scheme = kind == Kind.SINGLE && tls ? "rediss" : kind.scheme;
        String servers = hosts.stream().map(Address::urlText).collect(Collectors.joining(","));
        return scheme + "://" + servers + (master.isEmpty() ? "" : "/" + master)
                + (database == 0 ? "" : "/" + database);
    }

    @Override
    public String toString() {
        return describe();
    }
}
