package io.lockkeeper.redis;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

/** Which node of a cluster has which slot, as one of them said. */
final class SlotTable {

    private final @Nullable HostAndPort[] owners;
    private final Set<HostAndPort> primaries;
    private final Set<HostAndPort> all;

    private SlotTable(@Nullable HostAndPort[] owners, Set<HostAndPort> primaries, Set<HostAndPort> all) {
        this.owners = owners;
        this.primaries = primaries;
        this.all = all;
    }

    /**
     * Reads the reply to CLUSTER SLOTS.
     *
     * @param teller who answered: a node that does not know its own host names none
     */
    static SlotTable of(List<?> reply, HostAndPort teller) {
        @Nullable HostAndPort[] owners = new @Nullable HostAndPort[Protocol.CLUSTER_HASHSLOTS];
        Set<HostAndPort> primaries = new LinkedHashSet<>();
        Set<HostAndPort> all = new LinkedHashSet<>();
        for (Object entry : reply) {
            List<?> range = (List<?>) entry;
            int first = ((Long) range.get(0)).intValue();
            int last = ((Long) range.get(1)).intValue();
            for (int i = 2; i < range.size(); i++) {
                all.add(node((List<?>) range.get(i), teller));
            }
            HostAndPort primary = node((List<?>) range.get(2), teller);
            primaries.add(primary);
            for (int slot = first; slot <= last; slot++) {
                owners[slot] = primary;
            }
        }
        return new SlotTable(owners, primaries, all);
    }

    private static HostAndPort node(List<?> fields, HostAndPort teller) {
        Object host = fields.get(0);
        String name = host instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
        return new HostAndPort(
                name.isEmpty() || name.equals("?") ? teller.getHost() : name, ((Long) fields.get(1)).intValue());
    }

    /** Null if no node has it. */
    @Nullable
    HostAndPort owner(int slot) {
        return owners[slot];
    }

    /** The same with one slot elsewhere. */
    SlotTable with(int slot, HostAndPort owner) {
        @Nullable HostAndPort[] changed = owners.clone();
        changed[slot] = owner;
        Set<HostAndPort> more = new LinkedHashSet<>(primaries);
        more.add(owner);
        Set<HostAndPort> others = new LinkedHashSet<>(all);
        others.add(owner);
        return new SlotTable(changed, more, others);
    }

    Set<HostAndPort> primaries() {
        return primaries;
    }

    /** Replicas too. */
    Set<HostAndPort> all() {
        return all;
    }
}
