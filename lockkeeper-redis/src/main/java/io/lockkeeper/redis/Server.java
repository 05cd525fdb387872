package io.lockkeeper.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is asked of a server itself. */
final class Server {

    private static final byte[] START = {'0'};

    private Server() {}

    /** Adds the keys that match. SCAN answers with a part at a time, so nobody else waits for long. */
    static List<byte[]> scan(Wire wire, byte[] pattern, List<byte[]> into) {
        byte[] cursor = START;
        do {
            List<?> page = (List<?>) wire.demand(Commands.scan(cursor, pattern));
            cursor = (byte[]) page.get(0);
            for (Object key : (List<?>) page.get(1)) {
                into.add((byte[]) key);
            }
        } while (!Arrays.equals(cursor, START));
        return into;
    }

    /** Everything that INFO says by default. */
    static Map<String, String> info(Wire wire) {
        return parse((byte[]) wire.demand(Commands.info("default")));
    }

    static Map<String, String> parse(byte[] info) {
        Map<String, String> fields = new HashMap<>();
        for (String line : new String(info, StandardCharsets.UTF_8).split("\\r?\\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.charAt(0) != '#') {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return fields;
    }
}
