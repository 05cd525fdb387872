package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.SizeStore;
import java.time.Duration;

/** Sizes of semaphores at the other end of a {@link Network}. */
final class FaultySizes implements SizeStore {

    private final SizeStore inner;
    private final Network network;
    private final Duration limit;
    private final Clocks clocks;

    FaultySizes(SizeStore inner, Network network, Duration limit, Clocks clocks) {
        this.inner = inner;
        this.network = network;
        this.limit = limit;
        this.clocks = clocks;
    }

    @Override
    public int size(Resource semaphore) {
        return network.send(Call.RESIZE, limit, clocks, () -> inner.size(semaphore));
    }

    @Override
    public boolean trySet(Resource semaphore, String operation, int permits) {
        return network.send(Call.RESIZE, limit, clocks, () -> inner.trySet(semaphore, operation, permits));
    }

    @Override
    public void set(Resource semaphore, int permits) {
        network.<Boolean>send(Call.RESIZE, limit, clocks, () -> {
            inner.set(semaphore, permits);
            return true;
        });
    }

    @Override
    public int add(Resource semaphore, String operation, int change, int ifNone) {
        return network.send(Call.RESIZE, limit, clocks, () -> inner.add(semaphore, operation, change, ifNone));
    }

    @Override
    public void clear(Resource semaphore) {
        network.<Boolean>send(Call.RESIZE, limit, clocks, () -> {
            inner.clear(semaphore);
            return true;
        });
    }
}
