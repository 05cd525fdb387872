package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import io.lockkeeper.quorum.rounds.QuorumRules;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Several leased servers that forget what they knew when they restart, of which a majority decides. */
final class QuorumSide implements StoreSide {

    private final SimWorld world;
    private final QuorumRules rules;
    private final Map<Server, Long> lostMemoryAt = new HashMap<>();

    QuorumSide(SimWorld world) {
        this.world = world;
        int members = world.plan.members();
        // The longest lease is what a member that forgot waits for before it votes; nobody recalls for a longer one.
        this.rules = new QuorumRules(members, members / 2 + 1, 0.01, world.plan.lease(), Set.of());
    }

    @Override
    public Server server(SimMachine machine) {
        return new LeasedServer(world, machine);
    }

    LeasedServer member(int number) {
        return (LeasedServer) world.servers.get(number);
    }

    QuorumRules rules() {
        return rules;
    }

    @Override
    public StoreLink link(SimKeeper keeper) {
        return new QuorumLink(world, this, keeper);
    }

    @Override
    public void check() {
        world.servers.forEach(server -> ((LeasedServer) server).check());
    }

    @Override
    public boolean isEmpty() {
        return world.servers.stream()
                .allMatch(server -> ((LeasedServer) server).check().isEmpty());
    }

    @Override
    public void force(Server server, Resource resource) {
        world.servers.forEach(each -> ((LeasedServer) each).forceRelease(resource));
    }

    /** Only a minority may be without its memory at a time: what a majority forgets nobody remembers. */
    @Override
    public boolean mayLose(Server server) {
        long now = world.schedule.now();
        long young =
                world.plan.lease().multipliedBy(2).plus(Duration.ofSeconds(5)).toNanos();
        lostMemoryAt.values().removeIf(at -> now - at > young);
        boolean may = lostMemoryAt.containsKey(server) || lostMemoryAt.size() < rules.members() - rules.quorum();
        if (may) {
            lostMemoryAt.put(server, now);
        }
        return may;
    }
}
