package io.lockkeeper.testkit.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A slot of a cluster on its way to another primary. While it is, the old primary answers for the keys that it still has
 * and sends clients to the new one (ASK) for the others; when it has arrived, for all (MOVED).
 */
public final class SlotMove {

    private static final int BATCH = 100;

    private final String slot;
    private final RedisServer from;
    private final RedisServer to;
    private final List<RedisServer> nodes;
    private final String target;

    SlotMove(int slot, RedisServer from, RedisServer to, List<RedisServer> nodes) {
        this.slot = Integer.toString(slot);
        this.from = from;
        this.to = to;
        this.nodes = nodes;
        this.target = id(to);
        to.command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", target);
    }

    private static String id(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "MYID"));
    }

    /** Moves the keys that are in the slot now. */
    public void moveKeys() {
        for (List<String> keys = keys(); !keys.isEmpty(); keys = keys()) {
            keys.forEach(this::moveKey);
        }
    }

    /** Moves this key only. */
    public void moveKey(String key) {
        List<String> words = new ArrayList<>(
                List.of("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "5000", "REPLACE"));
        to.password().ifPresent(password -> words.addAll(List.of("AUTH", password)));
        from.command(words.toArray(String[]::new));
    }

    private List<String> keys() {
        List<?> keys = (List<?>)
                Objects.requireNonNull(from.command("CLUSTER", "GETKEYSINSLOT", slot, Integer.toString(BATCH)));
        return keys.stream().map(String::valueOf).toList();
    }

    /** The slot belongs to the new primary. The first to know is that one, so that there is always one who answers. */
    public void finish() {
        moveKeys();
        to.command("CLUSTER", "SETSLOT", slot, "NODE", target);
        from.command("CLUSTER", "SETSLOT", slot, "NODE", target);
        for (RedisServer node : nodes) {
            if (node != from
                    && node != to
                    && "master".equals(node.info("replication").get("role"))) {
                node.command("CLUSTER", "SETSLOT", slot, "NODE", target);
            }
        }
    }
}
