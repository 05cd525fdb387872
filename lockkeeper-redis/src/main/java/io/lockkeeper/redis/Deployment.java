package io.lockkeeper.redis;

import redis.clients.jedis.HostAndPort;

/** Ways to a Redis deployment. */
final class Deployment {

    static final int POOL = 8;

    private Deployment() {}

    static Redis single(String host, int port) {
        HostAndPort server = new HostAndPort(host, port);
        return new PrimaryRedis(
                new FixedPrimary(new Pool(server, new Access(null, null, 0, null), POOL), "redis://" + server));
    }
}
