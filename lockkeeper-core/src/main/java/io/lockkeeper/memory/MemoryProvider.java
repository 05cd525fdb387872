package io.lockkeeper.memory;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import java.util.EnumSet;
import java.util.Set;

/** {@code memory:} is a new store each time, {@code memory:name} the one of that name in this JVM. */
public final class MemoryProvider implements BackendProvider {

    private static final String PREFIX = "memory:";

    /** For {@link java.util.ServiceLoader}. */
    public MemoryProvider() {}

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public Backend create(String url) {
        if (!url.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
            throw new IllegalArgumentException("'" + url + "' is not a memory URL; use 'memory:' or 'memory:name'");
        }
        String name = url.substring(PREFIX.length());
        return name.isEmpty() ? MemoryBackend.create() : MemoryBackend.named(name);
    }
}
