package io.lockkeeper.redis.client;

import io.lockkeeper.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer of a sentinel.
 *
 * @param epoch the configuration epoch; each failover has a greater one
 */
record SentinelAnswer(Address primary, long epoch) {

    static SentinelAnswer of(Address sentinel, ConnectionSettings access, String master, Deadline until) {
        SocketConnection connection = SocketConnection.open(sentinel, access, until);
        try {
            // The address of the first is the new one as soon as the new primary is one, that of the second only when
            // all
            // replicas follow it; but only the second tells the epoch.
            connection.send(sentinel("GET-MASTER-ADDR-BY-NAME", master));
            connection.send(sentinel("MASTER", master));
            Object address = connection.receive();
            Object fields = connection.demand();
            if (!(address instanceof List<?> parts) || parts.size() < 2) {
                throw new StoreUnavailableException(
                        "The sentinel " + sentinel + " does not know where the primary of '" + master + "' is");
            }
            return ReplyShape.of("SENTINEL", () -> read(parts, (List<?>) fields));
        } catch (ErrorReplyException e) {
            if (String.valueOf(e.getMessage()).contains("No such master")) {
                throw new RedisRefusedException(
                        "The sentinel " + sentinel + " watches no master named '" + master
                                + "'; check the name behind the hosts in the URL",
                        e);
            }
            if (String.valueOf(e.getMessage()).contains("unknown command")) {
                throw new RedisRefusedException(
                        "The server " + sentinel
                                + " is no sentinel; name the sentinels in the URL, usually at port 26379,"
                                + " or use redis:// for one server",
                        e);
            }
            throw RedisErrors.refused(sentinel, e);
        } catch (RequestException e) {
            throw RedisErrors.asking(sentinel, e);
        } finally {
            connection.close();
        }
    }

    private static SentinelAnswer read(List<?> address, List<?> fields) {
        Map<String, String> known = new HashMap<>();
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            known.put(text(fields.get(i)), text(fields.get(i + 1)));
        }
        return new SentinelAnswer(
                Address.told(text(address.get(0)), Long.parseLong(text(address.get(1)))),
                Long.parseLong(known.getOrDefault("config-epoch", "0")));
    }

    private static Command sentinel(String word, String master) {
        return new Command("SENTINEL").add(word).add(master);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }
}
