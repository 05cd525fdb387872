package io.lockkeeper.redis.client;

import java.util.List;

/** Makes clients for the three kinds of deployment. Nothing is connected before the first request. */
public final class RedisClients {

    private RedisClients() {}

    /**
     * A client of one server.
     *
     * @param pool the most connections to the server
     * @param description names the deployment in messages; without a password
     */
    public static Redis single(Address server, ConnectionSettings access, int pool, String description) {
        return new PrimaryRedis(new FixedPrimary(new ConnectionPool(server, access, pool), description));
    }

    /**
     * A client of the primary that a group of sentinels names.
     *
     * @param master the name of the group
     * @param toSentinels how to log in to the sentinels
     * @param toPrimary how to log in to the primary
     */
    public static Redis sentinel(
            List<Address> sentinels,
            String master,
            ConnectionSettings toSentinels,
            ConnectionSettings toPrimary,
            int pool,
            String description) {
        return new PrimaryRedis(new SentinelPrimary(sentinels, master, toSentinels, toPrimary, pool, description));
    }

    /**
     * A client of a cluster.
     *
     * @param seeds some of its nodes
     */
    public static Redis cluster(List<Address> seeds, ConnectionSettings access, int pool, String description) {
        return new ClusterRedis(new ClusterNodes(seeds, access, pool, description));
    }
}
