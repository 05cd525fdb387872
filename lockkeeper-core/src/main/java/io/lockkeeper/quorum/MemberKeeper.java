package io.lockkeeper.quorum;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The keeper as the members see it: members' signals are passed on as what they are, wake-ups. */
record MemberKeeper(Keeper keeper, Supplier<Duration> timeout, Predicate<String> live) implements Keeper {

    @Override
    public String id() {
        return keeper.id();
    }

    @Override
    public HolderInfo holder() {
        return keeper.holder();
    }

    @Override
    public Duration lease() {
        return keeper.lease();
    }

    @Override
    public Duration commandTimeout() {
        return timeout.get();
    }

    @Override
    public Clocks clocks() {
        return keeper.clocks();
    }

    @Override
    public void signal(Resource resource) {
        keeper.signal(PermitSlots.semaphoreOf(resource));
    }

    @Override
    public void signalAll() {
        keeper.signalAll();
    }

    @Override
    public boolean knows(Resource resource, String claimId) {
        return live.test(claimId);
    }
}
