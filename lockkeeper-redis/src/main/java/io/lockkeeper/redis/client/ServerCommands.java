package io.lockkeeper.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Commands about a server as a whole. */
final class ServerCommands {

    private static final byte[] START = {'0'};

    private ServerCommands() {}

    /** Adds the keys that match a pattern. SCAN returns them in parts, so other clients do not wait for long. */
    static List<byte[]> scan(ServerConnection connection, byte[] pattern, List<byte[]> into) {
        byte[] cursor = START;
        do {
            Object page = connection.demand(Commands.scan(cursor, pattern));
            cursor = ReplyShape.of("SCAN", () -> addPage((List<?>) page, into));
        } while (!Arrays.equals(cursor, START));
        return into;
    }

    private static byte[] addPage(List<?> page, List<byte[]> into) {
        for (Object key : (List<?>) page.get(1)) {
            into.add((byte[]) key);
        }
        return (byte[]) page.get(0);
    }

    /** The fields of some sections of INFO; one command each, since Redis 6.2 takes one section at a time. */
    static Map<String, String> info(ServerConnection connection, String... sections) {
        for (String section : sections) {
            connection.send(Commands.info(section));
        }
        Map<String, String> fields = new HashMap<>();
        ErrorReplyException refused = null;
        for (int i = 0; i < sections.length; i++) {
            try {
                Object answer = connection.demand();
                parse(ReplyShape.of("INFO", () -> (byte[]) answer), fields);
            } catch (ErrorReplyException e) {
                // The other answers have to be read all the same.
                refused = e;
            }
        }
        if (refused != null) {
            throw refused;
        }
        return fields;
    }

    private static void parse(byte[] info, Map<String, String> fields) {
        for (String line : new String(info, StandardCharsets.UTF_8).split("\\r?\\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.charAt(0) != '#') {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
    }
}
