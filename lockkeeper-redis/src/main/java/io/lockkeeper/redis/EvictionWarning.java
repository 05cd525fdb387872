package io.lockkeeper.redis;

import io.lockkeeper.redis.client.ServerInfo;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Warns of servers that may evict the keys of locks. */
final class EvictionWarning {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private EvictionWarning() {}

    /** Lock keys expire, so policies that evict only such keys may evict them as well. */
    static void check(ServerInfo info) {
        String policy = info.fields().getOrDefault("maxmemory_policy", "noeviction");
        String most = info.fields().getOrDefault("maxmemory", "0");
        if (!most.equals("0") && !policy.equals("noeviction")) {
            LOG.log(
                    Level.WARNING,
                    "The Redis server {0} may evict lock keys when its memory is full (maxmemory-policy {1}), and then a"
                            + " second holder gets the lock; set maxmemory-policy to noeviction, or use another server",
                    info.server(),
                    policy);
        }
    }
}
