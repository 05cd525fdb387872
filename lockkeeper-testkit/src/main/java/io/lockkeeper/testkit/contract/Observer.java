package io.lockkeeper.testkit.contract;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;
import java.util.UUID;

/** A keeper that only looks: for cases that speak to a store without an engine in between. */
final class Observer implements Keeper {

    private final String id = UUID.randomUUID().toString().replace("-", "");

    @Override
    public String id() {
        return id;
    }

    @Override
    public HolderInfo holder() {
        return new HolderInfo(id, "test", ProcessHandle.current().pid(), "observer");
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Duration commandTimeout() {
        return Duration.ofSeconds(10);
    }

    @Override
    public Clocks clocks() {
        return Clocks.system();
    }

    @Override
    public void signal(Resource resource) {}

    @Override
    public void signalAll() {}

    @Override
    public boolean knows(Resource resource, String claimId) {
        return false;
    }
}
