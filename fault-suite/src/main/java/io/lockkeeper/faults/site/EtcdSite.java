package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.testkit.etcd.EtcdAdmin;
import io.lockkeeper.testkit.etcd.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One etcd server, each client behind a proxy. */
final class EtcdSite implements Site {

    private final EtcdServer server = EtcdServer.start();
    private final Links links;

    EtcdSite(int clients) {
        links = new Links(clients, server.port());
    }

    @Override
    public String url(int client) {
        return "etcd://127.0.0.1:" + links.port(client);
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(links.faults());
        faults.add(new ScriptedFault("server stopped", false, false, this::stop));
        faults.add(new ScriptedFault("server killed", false, false, this::kill));
        faults.add(new ScriptedFault("lease revoked", true, true, this::revoke));
        faults.add(new ScriptedFault("everything deleted", true, true, this::delete));
        faults.add(new ScriptedFault("history compacted", false, true, this::compact));
        return faults;
    }

    private String stop(Scene scene, SplittableRandom random) {
        server.pause();
        try {
            Pauses.forTime(Pauses.times(scene.lease(), 0.3, 1.6, random));
        } finally {
            server.resume();
        }
        return "server";
    }

    private String kill(Scene scene, SplittableRandom random) {
        server.kill();
        Pauses.forTime(Pauses.times(Duration.ofMillis(500), 0, 1, random));
        server.restart();
        return "server";
    }

    /** By an administrator; which one it is depends on what the clients have just then. */
    private String revoke(Scene scene, SplittableRandom random) {
        EtcdAdmin admin = server.admin();
        List<String> leases = admin.leases();
        if (leases.isEmpty()) {
            return "no lease";
        }
        String lease = leases.get(random.nextInt(leases.size()));
        try {
            admin.revoke(lease);
        } catch (IllegalStateException endedMeanwhile) {
            return "a lease that had just ended";
        }
        return "lease " + lease;
    }

    private String delete(Scene scene, SplittableRandom random) {
        server.admin().delete("");
        return "server";
    }

    private String compact(Scene scene, SplittableRandom random) {
        server.admin().compact();
        return "server";
    }

    @Override
    public void close() {
        links.close();
        server.close();
    }
}
