package io.lockkeeper.redis;

import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.redis.RedisWire;
import java.util.ArrayList;
import java.util.List;

/** All keys of a server with their values, to detect writes. Expiries are ignored. */
final class KeySnapshot {

    private KeySnapshot() {}

    static List<String> of(RedisServer server) {
        List<String> all = new ArrayList<>();
        try (RedisWire wire = server.connect()) {
            for (Object key : (List<?>) wire.command("KEYS", "*")) {
                String name = String.valueOf(key);
                String type = String.valueOf(wire.command("TYPE", name));
                Object content = switch (type) {
                    case "string" -> wire.command("GET", name);
                    case "hash" -> wire.command("HGETALL", name);
                    case "zset" -> wire.command("ZRANGE", name, "0", "-1", "WITHSCORES");
                    case "set" -> wire.command("SMEMBERS", name);
                    case "list" -> wire.command("LRANGE", name, "0", "-1");
                    default -> throw new AssertionError(name + " is a " + type);
                };
                all.add(name + " " + type + " " + content);
            }
        }
        all.sort(null);
        return all;
    }
}
