package io.lockkeeper.testkit.redis;

import io.lockkeeper.testkit.TestTimeouts;
import java.util.ArrayList;
import java.util.Arrays;
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

    /**
     * The slot belongs to the new primary. That one knows first, so that there is always one who answers.
     *
     * <p>All wait for its new epoch. A node that has not heard of it would believe an old message in which the old primary
     * still claims the slot; with the next move coming at once nobody has the slot in the end.
     */
    public void finish() {
        moveKeys();
        to.command("CLUSTER", "SETSLOT", slot, "NODE", target);
        String epoch = fieldsOf(target, to)[6];
        TestTimeouts.until(
                "all nodes know who has slot " + slot,
                () -> nodes.stream().allMatch(node -> {
                    String[] fields = fieldsOf(target, node);
                    return fields[6].equals(epoch)
                            && Arrays.stream(fields).skip(8).anyMatch(this::isIn);
                }));
        from.command("CLUSTER", "SETSLOT", slot, "NODE", target);
    }

    /** What a node knows of another: id, address, flags, primary, ping, pong, epoch, link, slots. */
    private static String[] fieldsOf(String id, RedisServer witness) {
        return String.valueOf(witness.command("CLUSTER", "NODES"))
                .lines()
                .filter(line -> line.startsWith(id))
                .findFirst()
                .orElseThrow()
                .split(" ");
    }

    private boolean isIn(String range) {
        if (range.startsWith("[")) {
            return false;
        }
        String[] ends = range.split("-");
        int number = Integer.parseInt(slot);
        return Integer.parseInt(ends[0]) <= number && number <= Integer.parseInt(ends[ends.length - 1]);
    }
}
