package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** One server of sessions; an ensemble behaves as one. */
final class SessionSide implements StoreSide {

    private final SimWorld world;
    private final Map<String, SessionLink> links = new HashMap<>();

    SessionSide(SimWorld world) {
        this.world = world;
    }

    @Override
    public Server server(SimMachine machine) {
        return new SessionServer(world, machine);
    }

    private SessionServer server() {
        return (SessionServer) world.servers.get(0);
    }

    @Override
    public StoreLink link(SimKeeper keeper) {
        SessionLink link = new SessionLink(world, keeper, this::server);
        links.put(keeper.id, link);
        return link;
    }

    @Override
    public void check() {
        long patience =
                world.plan.lease().multipliedBy(2).plus(Duration.ofSeconds(15)).toNanos();
        server().check(patience, (keeperId, session) -> {
            SessionLink link = links.get(keeperId);
            return link != null && link.uses(session);
        });
    }

    @Override
    public boolean isEmpty() {
        return server().isEmpty();
    }

    @Override
    public void force(Server server, Resource resource) {
        server().force(resource);
    }
}
