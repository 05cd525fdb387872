package io.lockkeeper.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which node of a cluster has which slot, according to one of the nodes. */
final class SlotTable {

    private final @Nullable Address[] owners;
    private final Set<Address> primaries;
    private final Set<Address> all;

    private SlotTable(@Nullable Address[] owners, Set<Address> primaries, Set<Address> all) {
        this.owners = owners;
        this.primaries = primaries;
        this.all = all;
    }

    /**
     * Reads the reply to CLUSTER SLOTS.
     *
     * @param teller the node that answered; one that does not know its own host sends an empty name
     */
    static SlotTable of(List<?> reply, Address teller) {
        @Nullable Address[] owners = new @Nullable Address[HashSlot.COUNT];
        Set<Address> primaries = new LinkedHashSet<>();
        Set<Address> all = new LinkedHashSet<>();
        for (Object entry : reply) {
            List<?> range = (List<?>) entry;
            int first = ((Long) range.get(0)).intValue();
            int last = ((Long) range.get(1)).intValue();
            for (int i = 2; i < range.size(); i++) {
                all.add(node((List<?>) range.get(i), teller));
            }
            Address primary = node((List<?>) range.get(2), teller);
            primaries.add(primary);
            for (int slot = first; slot <= last; slot++) {
                owners[slot] = primary;
            }
        }
        return new SlotTable(owners, primaries, all);
    }

    private static Address node(List<?> fields, Address teller) {
        Object host = fields.get(0);
        String name = host instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
        return Address.told(name.isEmpty() || name.equals("?") ? teller.host() : name, (Long) fields.get(1));
    }

    /** Null if no node has it. */
    @Nullable
    Address owner(int slot) {
        return owners[slot];
    }

    /** This table with another owner for one slot. */
    SlotTable with(int slot, Address owner) {
        @Nullable Address[] changed = owners.clone();
        changed[slot] = owner;
        Set<Address> more = new LinkedHashSet<>(primaries);
        more.add(owner);
        Set<Address> others = new LinkedHashSet<>(all);
        others.add(owner);
        return new SlotTable(changed, more, others);
    }

    Set<Address> primaries() {
        return primaries;
    }

    /** All nodes, replicas too. */
    Set<Address> all() {
        return all;
    }
}
