package io.lockkeeper.redis;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.Fault;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A store in Redis, used as the documented user. Several may share servers, under different prefixes. */
final class RedisFixture implements BackendFixture {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Servers servers;
    private final boolean own;
    private final String url;
    private final RedisBackend backend;

    private RedisFixture(Servers servers, boolean own) {
        this.servers = servers;
        this.own = own;
        this.url = servers.url() + "?prefix=lockkeeper" + COUNT.incrementAndGet();
        this.backend = RedisBackend.at(url);
    }

    /** On servers of its own, which it may stop and which it closes. */
    static RedisFixture alone(Servers servers) {
        return new RedisFixture(servers, true);
    }

    /** On servers that others use too. */
    static RedisFixture sharing(Servers servers) {
        return new RedisFixture(servers, false);
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Optional<String> url() {
        return Optional.of(url);
    }

    @Override
    public Set<Fault> faults() {
        return own ? EnumSet.of(Fault.LOSE_GRANTS, Fault.PAUSE, Fault.KILL) : EnumSet.of(Fault.LOSE_GRANTS);
    }

    /** As a failover does that comes before the grant was replicated: the rest of what is known stays. */
    @Override
    public void loseGrants(Resource resource) {
        String key = backend.key(resource);
        servers.primaryOf(key).command("DEL", key, key + ":g");
    }

    @Override
    public void pauseServer() {
        requireOwn();
        servers.pause();
    }

    @Override
    public void resumeServer() {
        requireOwn();
        servers.resume();
    }

    @Override
    public void killServer() {
        requireOwn();
        servers.kill();
    }

    @Override
    public void restartServer() {
        requireOwn();
        servers.restart();
    }

    private void requireOwn() {
        if (!own) {
            throw new IllegalStateException("Others use these servers too; take a fixture that stands alone");
        }
    }

    @Override
    public void close() {
        backend.close();
        if (own) {
            servers.close();
        }
    }
}
