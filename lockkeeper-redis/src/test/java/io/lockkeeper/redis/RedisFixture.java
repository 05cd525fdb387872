package io.lockkeeper.redis;

import io.lockkeeper.Resource;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.redis.RedisServer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** One Redis server of its own. */
final class RedisFixture implements BackendFixture {

    private final RedisServer server = RedisServer.start();
    private final RedisBackend backend = RedisBackend.at(server.url());

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Optional<String> url() {
        return Optional.of(server.url());
    }

    @Override
    public Set<Fault> faults() {
        return EnumSet.of(Fault.LOSE_GRANTS, Fault.PAUSE, Fault.KILL);
    }

    /** As a failover does that comes before the grant was replicated: the rest of what is known stays. */
    @Override
    public void loseGrants(Resource resource) {
        String key = backend.key(resource);
        server.command("DEL", key, key + ":g");
    }

    @Override
    public void pauseServer() {
        server.pause();
    }

    @Override
    public void resumeServer() {
        server.resume();
    }

    @Override
    public void killServer() {
        server.kill();
    }

    @Override
    public void restartServer() {
        server.restart();
    }

    @Override
    public void close() {
        backend.close();
        server.close();
    }
}
