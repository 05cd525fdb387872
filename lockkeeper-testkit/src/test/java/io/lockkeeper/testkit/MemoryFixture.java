package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.memory.MemoryBackend;

/** The memory backend. */
final class MemoryFixture extends InMemoryFixture {

    private final MemoryBackend memory;

    MemoryFixture() {
        this(new ManualClocks());
    }

    private MemoryFixture(ManualClocks clocks) {
        this(MemoryBackend.create(clocks), clocks);
    }

    private MemoryFixture(MemoryBackend memory, ManualClocks clocks) {
        super(memory, clocks);
        this.memory = memory;
    }

    @Override
    public void loseGrants(Resource resource) {
        memory.faults().loseGrants(resource);
    }
}
