package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.LatchStore;
import java.time.Duration;

/** Latches at the other end of a {@link Network}. */
final class FaultyLatches implements LatchStore {

    private final LatchStore inner;
    private final Network network;
    private final Duration limit;
    private final Clocks clocks;

    FaultyLatches(LatchStore inner, Network network, Duration limit, Clocks clocks) {
        this.inner = inner;
        this.network = network;
        this.limit = limit;
        this.clocks = clocks;
    }

    @Override
    public State state(Resource latch, boolean wake) {
        return network.send(Call.LATCH, limit, clocks, () -> inner.state(latch, wake));
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        return network.send(Call.LATCH, limit, clocks, () -> inner.set(latch, operation, count));
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        return network.send(Call.LATCH, limit, clocks, () -> inner.countDown(latch, generation, operation));
    }

    @Override
    public void delete(Resource latch, long generation) {
        network.<Boolean>send(Call.LATCH, limit, clocks, () -> {
            inner.delete(latch, generation);
            return true;
        });
    }
}
