package io.lockkeeper.redis.client;

import java.util.Map;

/**
 * What a server says of itself in INFO.
 *
 * @param server its name in messages
 * @param fields by name; empty if the user may not ask
 */
public record ServerInfo(String server, Map<String, String> fields) {

    public ServerInfo {
        fields = Map.copyOf(fields);
    }
}
