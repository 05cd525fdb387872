package io.lockkeeper.redis.client;

import io.lockkeeper.StoreUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server must be so that scripts can be run on it: a primary, of Redis 6.2 or newer. */
final class ServerRequirements {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private ServerRequirements() {}

    /**
     * Asks a server what it is.
     *
     * @param server what to call it
     * @param cluster whether it should be a node of one
     * @return what it said
     */
    static ServerInfo check(ServerConnection connection, Object server, boolean cluster) {
        Map<String, String> info;
        try {
            info = ServerCommands.info(connection, "server", "replication", "memory");
        } catch (ErrorReplyException e) {
            if (!e.is(ErrorReplyException.Kind.NOPERM)) {
                throw e;
            }
            LOG.log(
                    Level.WARNING,
                    "The Redis server {0} does not allow INFO, so neither its version nor its eviction policy could be"
                            + " checked; add +info to the ACL of its user",
                    server.toString());
            return new ServerInfo(server.toString(), Map.of());
        }
        String unfit = unfit(info, cluster);
        if (unfit != null) {
            throw new RedisRefusedException("The Redis server " + server + ' ' + unfit);
        }
        if (!"master".equals(info.getOrDefault("role", "master"))) {
            throw new StoreUnavailableException(
                    "The Redis server " + server + " is a replica and cannot be written to; connect to its primary");
        }
        return new ServerInfo(server.toString(), info);
    }

    static @Nullable String unfit(Map<String, String> info, boolean cluster) {
        // Valkey calls it otherwise.
        String mode = info.getOrDefault("redis_mode", info.getOrDefault("server_mode", ""));
        if (mode.equals("sentinel")) {
            return "is a sentinel; use redis-sentinel://" + "host/master instead";
        }
        if (!cluster && mode.equals("cluster")) {
            return "is a node of a cluster; use redis-cluster:// instead of redis://";
        }
        String version = info.getOrDefault("redis_version", "");
        if (isOlderThan62(version)) {
            return "runs version " + version + ", but 6.2 or newer is needed; update it";
        }
        return null;
    }

    private static boolean isOlderThan62(String version) {
        String[] parts = version.split("\\.");
        if (parts.length < 2 || !parts[0].matches("[0-9]{1,6}") || !parts[1].matches("[0-9]{1,6}")) {
            return false;
        }
        int major = Integer.parseInt(parts[0]);
        return major < 6 || (major == 6 && Integer.parseInt(parts[1]) < 2);
    }
}
