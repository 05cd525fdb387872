package io.lockkeeper.file;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;

/** A keeper with nothing behind it. */
record TestKeeper(String id, Clocks clocks, Duration commandTimeout) implements Keeper {

    TestKeeper(String id) {
        this(id, Clocks.system(), Duration.ofSeconds(10));
    }

    @Override
    public HolderInfo holder() {
        return new HolderInfo(id, "host", ProcessHandle.current().pid(), "a note");
    }

    @Override
    public void signal(Resource resource) {}

    @Override
    public void signalAll() {}

    @Override
    public Duration lease() {
        return Duration.ofSeconds(30);
    }

    @Override
    public boolean knows(Resource resource, String claimId) {
        return true;
    }
}
