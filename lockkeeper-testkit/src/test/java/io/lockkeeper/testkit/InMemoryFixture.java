package io.lockkeeper.testkit;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Clocks;
import java.util.EnumSet;
import java.util.Set;

/** A store in this process and in virtual time, with a network between it and its keepers that stands for a server's faults. */
abstract class InMemoryFixture implements BackendFixture {

    private final Backend store;
    private final FaultyBackend backend;
    private final ManualClocks clocks;
    private final VirtualTime time;

    InMemoryFixture(Backend store, ManualClocks clocks) {
        this.clocks = clocks;
        this.time = VirtualTime.of(clocks);
        this.store = store;
        this.backend = new FaultyBackend(store);
    }

    @Override
    public final Clocks clocks() {
        return clocks;
    }

    @Override
    public final Backend backend() {
        return backend;
    }

    @Override
    public Set<Fault> faults() {
        return EnumSet.of(Fault.LOSE_GRANTS, Fault.PAUSE, Fault.KILL);
    }

    @Override
    public void pauseServer() {
        backend.network().hang();
    }

    @Override
    public void resumeServer() {
        backend.network().heal();
    }

    @Override
    public void killServer() {
        backend.network().cut();
    }

    @Override
    public void restartServer() {
        backend.network().heal();
    }

    @Override
    public void close() {
        backend.close();
        store.close();
        time.close();
    }
}
