package io.lockkeeper.testkit;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;

/** A keeper that hears signals only while the network lets them through. */
final class FaultyKeeper implements Keeper {

    private final Keeper inner;
    private final Network network;

    FaultyKeeper(Keeper inner, Network network) {
        this.inner = inner;
        this.network = network;
    }

    @Override
    public String id() {
        return inner.id();
    }

    @Override
    public HolderInfo holder() {
        return inner.holder();
    }

    @Override
    public Duration lease() {
        return inner.lease();
    }

    @Override
    public Duration commandTimeout() {
        return inner.commandTimeout();
    }

    @Override
    public Clocks clocks() {
        return inner.clocks();
    }

    @Override
    public void signal(Resource resource) {
        if (!network.isDeaf()) {
            inner.signal(resource);
        }
    }

    @Override
    public void recall(Resource resource, String claimId) {
        if (!network.isDeaf()) {
            inner.recall(resource, claimId);
            network.passedWord();
        }
    }

    @Override
    public void signalAll() {
        if (!network.isDeaf()) {
            inner.signalAll();
        }
    }

    @Override
    public boolean knows(Resource resource, String claimId) {
        return inner.knows(resource, claimId);
    }
}
