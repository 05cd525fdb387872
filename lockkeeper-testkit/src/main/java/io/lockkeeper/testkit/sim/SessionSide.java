package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Servers of sessions: a leader, and perhaps followers between it and the keepers. */
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
        List<Follower> followers = server().followers();
        Follower follower = followers.isEmpty() ? null : followers.get(links.size() % followers.size());
        SessionLink link = new SessionLink(world, keeper, this::server, follower);
        links.put(keeper.id, link);
        return link;
    }

    @Override
    public void check() {
        long patience = world.plan
                .longest()
                .multipliedBy(2)
                .plus(Duration.ofSeconds(15))
                .toNanos();
        server().check(patience, (keeperId, session) -> {
            SessionLink link = links.get(keeperId);
            return link != null && link.uses(session);
        });
        world.checkBacked(server().holding());
    }

    /** A follower does not reach its leader for a while, but still answers reads. */
    @Override
    public void cutOffFollower(long duration, SplittableRandom dice) {
        List<Follower> followers = server().followers();
        Follower follower = followers.isEmpty() ? null : followers.get(dice.nextInt(followers.size()));
        if (follower != null && !follower.isCutOff()) {
            follower.cutOff();
            world.schedule.after(duration, () -> server().machine().run(follower::mend));
        }
    }

    @Override
    public boolean isEmpty() {
        return server().isEmpty();
    }

    @Override
    public OptionalLong keptFor(Resource resource, String claimId) {
        return server().keptFor(claimId);
    }

    @Override
    public void force(Server server, Resource resource) {
        server().force(resource);
    }
}
