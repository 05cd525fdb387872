package io.lockkeeper.testkit.sim;

import io.lockkeeper.Resource;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** How a kind of store is simulated: its servers, and the way of a keeper to them. */
interface StoreSide {

    Server server(SimMachine machine);

    StoreLink link(SimKeeper keeper);

    /** Everything is there; what else is to happen may begin. */
    default void begin() {}

    /** What the servers hold must fit together and belong to somebody. */
    void check();

    /** Whether nothing is held. */
    boolean isEmpty();

    void force(Server server, Resource resource);

    /** Nanoseconds for which the store keeps a claim's grant from now, by its own clock; empty if it cannot say. */
    default OptionalLong keptFor(Resource resource, String claimId) {
        return OptionalLong.empty();
    }

    /** Cuts a server off from its leader for a duration. */
    default void cutOffFollower(long duration, SplittableRandom dice) {}

    /** Whether a server may lose its memory now without harming a majority. */
    default boolean mayLose(Server server) {
        return true;
    }

    static StoreSide of(SimWorld world) {
        return switch (world.plan.store()) {
            case QUORUM -> new QuorumSide(world);
            case SESSION -> new SessionSide(world);
            case LEASED -> new LeasedSide(world);
        };
    }
}
