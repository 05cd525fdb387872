package io.lockkeeper.testkit;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Clocks;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What a backend supplies to be put through the contract suite: one store, and what can be done to it.
 *
 * <p>Each contract class makes a fixture of its own, uses it for all its cases at once, on names of their own, and closes
 * it. Several fixtures may live on one server as long as they declare no fault that would harm each other.
 *
 * <p>A capability or fault that is not offered never skips a case: it decides what the case asserts.
 */
public interface BackendFixture extends AutoCloseable {

    /** The store; the same object at each call. */
    Backend backend();

    /** What the store can do. */
    default Set<Capability> capabilities() {
        return backend().capabilities();
    }

    /**
     * The lease that cases use which wait for its end, or for several renewals: as short as is reliable on a busy machine,
     * 1 to 2 seconds.
     */
    default Duration lease() {
        return Duration.ofSeconds(2);
    }

    /** What the store and its keepers count time by; {@link ManualClocks} that {@link VirtualTime} moves where a store allows it. */
    default Clocks clocks() {
        return Clocks.system();
    }

    /** A URL by which other processes reach the same store; empty if none can. */
    default Optional<String> url() {
        return Optional.empty();
    }

    /** What can be done to the server. */
    default Set<Fault> faults() {
        return Set.of();
    }

    /** The store forgets the grants of a resource, as by a failover that lost them: nobody is told. Tokens still grow. */
    default void loseGrants(Resource resource) {
        throw undeclared(Fault.LOSE_GRANTS);
    }

    /** The server stops answering; requests sent to it are answered after {@link #resumeServer}, if anyone still waits. */
    default void pauseServer() {
        throw undeclared(Fault.PAUSE);
    }

    /** The server goes on as if nothing had happened. */
    default void resumeServer() {
        throw undeclared(Fault.PAUSE);
    }

    /** The server is killed; requests fail. */
    default void killServer() {
        throw undeclared(Fault.KILL);
    }

    /** The server is started again, with whatever it kept. */
    default void restartServer() {
        throw undeclared(Fault.KILL);
    }

    /**
     * The store ends the session of a keeper, as an administrator can: all that the keeper has there is gone, and nothing of other
     * keepers. The keeper is told as the store tells it. For stores whose grants end with a session.
     */
    default void endSession(Lockkeeper keeper) {
        throw undeclared(Fault.END_SESSION);
    }

    /** Whether the store knows since when another keeper holds something; one without a clock of its own does not. */
    default boolean knowsSinceWhen() {
        return true;
    }

    /** Whether claims whose lease is not the keeper's have a session of their own, with the timeout of that lease. */
    default boolean hasSessionsByLease() {
        return false;
    }

    /** The places of those that wait for a resource are removed from the store's queue, as by hand; what is held stays. */
    default void losePlaces(Resource resource) {
        throw undeclared(Fault.LOSE_PLACES);
    }

    /**
     * Another way to the same store, which can be cut below the store itself; empty if the store does nothing by itself that would
     * keep its grants alive while the requests of its keeper are lost. The caller closes it.
     */
    default Optional<Line> line() {
        return Optional.empty();
    }

    /** Frees all that belongs to it: the store, its files, the server. */
    @Override
    void close();

    private IllegalStateException undeclared(Fault fault) {
        return new IllegalStateException(backend().describe() + " does not offer " + fault
                + "; declare it in faults() and override its method, or ask faults() first");
    }
}
