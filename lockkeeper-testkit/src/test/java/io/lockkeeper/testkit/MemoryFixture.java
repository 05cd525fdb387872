package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Backend;
import java.util.EnumSet;
import java.util.Set;

/** The memory backend, with a network between it and its keepers that stands for a server's faults. */
final class MemoryFixture implements BackendFixture {

    private final MemoryBackend memory = MemoryBackend.create();
    private final FaultyBackend backend = new FaultyBackend(memory);

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Set<Fault> faults() {
        return EnumSet.allOf(Fault.class);
    }

    @Override
    public void loseGrants(Resource resource) {
        memory.faults().loseGrants(resource);
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
        memory.close();
    }
}
