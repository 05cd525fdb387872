package io.lockkeeper.quorum;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;

/** A keeper that talks to a member directly, without the quorum. */
record ProbeKeeper(Clocks clocks) implements Keeper {

    @Override
    public String id() {
        return "probe";
    }

    @Override
    public HolderInfo holder() {
        return new HolderInfo("probe", "host", 2, "");
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Duration commandTimeout() {
        return Duration.ofSeconds(1);
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
