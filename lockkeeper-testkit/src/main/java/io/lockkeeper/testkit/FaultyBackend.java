package io.lockkeeper.testkit;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.Set;

/**
 * Any backend behind a network that fails on demand: requests that are not sent, replies that are lost, a server that
 * hangs, signals that do not come. It also counts requests. The faults are those of this object; another one over the same
 * backend has a network of its own, like another process.
 *
 * <p>A request to a hung server waits for its time limit, fails as every backend does, and is executed when the server
 * goes on: the late duplicate that a store must cope with.
 */
public final class FaultyBackend implements Backend {

    private final Backend inner;
    private final Network network;

    public FaultyBackend(Backend inner) {
        this.inner = inner;
        this.network = new Network();
    }

    /** The store at the end of a line, which is cut, hung and healed together with all kinds of requests. */
    public FaultyBackend(Line line) {
        this.inner = line.backend();
        this.network = new Network(line);
    }

    /** What can be made to fail. */
    public Network network() {
        return network;
    }

    @Override
    public String kind() {
        return inner.kind();
    }

    @Override
    public String describe() {
        return inner.describe();
    }

    @Override
    public Set<Capability> capabilities() {
        return inner.capabilities();
    }

    @Override
    public Duration longestLease() {
        return inner.longestLease();
    }

    @Override
    public Store open(Keeper keeper) {
        return new FaultyStore(inner.open(new FaultyKeeper(keeper, network)), network, keeper);
    }

    /** Lets hung requests go; the backend itself stays open, it belongs to the code that made it. */
    @Override
    public void close() {
        network.heal();
    }
}
