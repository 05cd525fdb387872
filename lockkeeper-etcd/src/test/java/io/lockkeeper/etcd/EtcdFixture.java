package io.lockkeeper.etcd;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.Line;
import io.lockkeeper.testkit.etcd.EtcdServer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A store under a prefix of its own. Several fixtures share a server, unless one stands alone to stop it. */
final class EtcdFixture implements BackendFixture {

    private final EtcdServer server;
    private final boolean alone;
    private final String prefix = "t" + UUID.randomUUID().toString().replace("-", "");
    private final EtcdBackend backend;
    private final Admin admin;

    private EtcdFixture(EtcdServer server, boolean alone) {
        this.server = server;
        this.alone = alone;
        this.backend = EtcdBackend.of(address());
        this.admin = new Admin(server.port(), prefix);
    }

    static EtcdFixture shared() {
        return new EtcdFixture(Servers.shared(), false);
    }

    /** On a server that it may stop, and which it closes. */
    static EtcdFixture alone() {
        return new EtcdFixture(EtcdServer.start(), true);
    }

    private String address() {
        return "etcd://" + server.address() + "/" + prefix;
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Optional<String> url() {
        return Optional.of(address());
    }

    /** The store keeps its leases alive by itself, so a keeper is cut off below it. */
    @Override
    public Optional<Line> line() {
        FaultProxy proxy = FaultProxy.to(server.port());
        return Optional.of(Line.through(proxy, EtcdBackend.of("etcd://127.0.0.1:" + proxy.port() + "/" + prefix)));
    }

    @Override
    public Set<Fault> faults() {
        return alone ? EnumSet.allOf(Fault.class) : EnumSet.of(Fault.LOSE_GRANTS, Fault.END_SESSION, Fault.LOSE_PLACES);
    }

    /** The keys of those that hold are deleted, as by hand. */
    @Override
    public void loseGrants(Resource resource) {
        admin.deleteHolders(resource);
    }

    @Override
    public void losePlaces(Resource resource) {
        admin.deleteWaiters(resource);
    }

    @Override
    public void endSession(Lockkeeper keeper) {
        admin.etcd.revoke(admin.leaseOf(keeper.id()), Admin.soon());
    }

    /** etcd has no clock that keys could be asked for. */
    @Override
    public boolean knowsSinceWhen() {
        return false;
    }

    @Override
    public boolean hasSessionsByLease() {
        return true;
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
        admin.close();
        if (alone) {
            server.close();
        }
    }
}
