package io.lockkeeper.zookeeper;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.Line;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A store under a root of its own. Several fixtures share a server, unless one stands alone to stop it. */
final class ZookeeperFixture implements BackendFixture {

    private final ZookeeperServer server;
    private final boolean alone;
    private final String root = "/t" + UUID.randomUUID().toString().replace("-", "");
    private final ZookeeperBackend backend;
    private @Nullable Observer observer;

    private ZookeeperFixture(ZookeeperServer server, boolean alone) {
        this.server = server;
        this.alone = alone;
        this.backend = ZookeeperBackend.at(address());
    }

    static ZookeeperFixture shared() {
        return new ZookeeperFixture(Servers.shared(), false);
    }

    /** On a server that it may stop, and which it closes. */
    static ZookeeperFixture alone() {
        return new ZookeeperFixture(ZookeeperServer.start(), true);
    }

    private String address() {
        return "zk://" + server.address() + root;
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Optional<String> url() {
        return Optional.of(address());
    }

    /** The store keeps its session alive by itself, so a keeper is cut off below it. */
    @Override
    public Optional<Line> line() {
        FaultProxy proxy = FaultProxy.to(server.port());
        return Optional.of(Line.through(proxy, ZookeeperBackend.at("zk://127.0.0.1:" + proxy.port() + root)));
    }

    @Override
    public Set<Fault> faults() {
        return alone ? EnumSet.allOf(Fault.class) : EnumSet.of(Fault.LOSE_GRANTS, Fault.END_SESSION, Fault.LOSE_PLACES);
    }

    /** The nodes of those that hold are deleted, as by hand. */
    @Override
    public void loseGrants(Resource resource) {
        observer().deleteHolders(new Layout(root).queue(resource));
    }

    @Override
    public void losePlaces(Resource resource) {
        observer().deleteWaiters(new Layout(root).queue(resource));
    }

    @Override
    public void endSession(Lockkeeper keeper) {
        observer().endSession(new Layout(root), keeper.id(), server.address());
    }

    private synchronized Observer observer() {
        if (observer == null) {
            observer = Observer.at(server.address());
        }
        return observer;
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
    public synchronized void close() {
        backend.close();
        if (observer != null) {
            observer.close();
        }
        if (alone) {
            server.close();
        }
    }
}
