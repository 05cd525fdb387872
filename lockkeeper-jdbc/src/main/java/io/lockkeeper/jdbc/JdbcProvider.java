package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import java.util.EnumSet;
import java.util.Set;

/** Backends for the URLs of databases. */
public final class JdbcProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public JdbcProvider() {}

    @Override
    public String name() {
        return "SQL";
    }

    @Override
    public Set<Capability> capabilities() {
        EnumSet<Capability> all = EnumSet.allOf(Capability.class);
        all.remove(Capability.VOTES);
        return all;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc");
    }

    @Override
    public Backend create(String url) {
        JdbcUrl parsed = JdbcUrl.parse(url);
        return parsed.isSessionMode() ? SessionLocksBackend.at(parsed) : JdbcBackend.at(url);
    }
}
