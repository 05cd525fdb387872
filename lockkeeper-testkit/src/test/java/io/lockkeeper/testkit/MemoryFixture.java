package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.memory.MemoryBackend;

/** The memory backend. */
final class MemoryFixture extends InMemoryFixture {

    private final MemoryBackend memory;

    MemoryFixture() {
        this(MemoryBackend.create());
    }

    private MemoryFixture(MemoryBackend memory) {
        super(memory);
        this.memory = memory;
    }

    @Override
    public void loseGrants(Resource resource) {
        memory.faults().loseGrants(resource);
    }
}
