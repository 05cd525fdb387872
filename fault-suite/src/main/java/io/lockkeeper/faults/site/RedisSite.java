package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One Redis server that keeps nothing on disk, each client behind a proxy. */
final class RedisSite implements Site {

    private final RedisServer server = RedisServer.start();
    private final Links links;

    RedisSite(int clients) {
        links = new Links(clients, server.port());
    }

    @Override
    public String url(int client) {
        return "redis://127.0.0.1:" + links.port(client);
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(links.faults());
        faults.add(new ScriptedFault("server stopped", false, false, this::stop));
        faults.add(new ScriptedFault("server restarted empty", true, false, this::restart));
        faults.add(new ScriptedFault("everything deleted", true, true, this::flush));
        faults.add(new ScriptedFault("scripts forgotten", false, true, this::forgetScripts));
        faults.add(new ScriptedFault("signals dropped", false, true, this::dropSignals));
        return faults;
    }

    private String stop(Scene scene, SplittableRandom random) {
        RedisDeeds.stopFor(server, Pauses.times(scene.lease(), 0.3, 1.6, random));
        return "server";
    }

    private String restart(Scene scene, SplittableRandom random) {
        server.kill();
        Pauses.forTime(Pauses.times(Duration.ofMillis(500), 0, 1, random));
        server.restart();
        return "server";
    }

    private String flush(Scene scene, SplittableRandom random) {
        server.command("FLUSHALL");
        return "server";
    }

    private String forgetScripts(Scene scene, SplittableRandom random) {
        server.command("SCRIPT", "FLUSH");
        return "server";
    }

    private String dropSignals(Scene scene, SplittableRandom random) {
        RedisDeeds.dropSubscribers(List.of(server));
        return "server";
    }

    @Override
    public void close() {
        links.close();
        server.close();
    }
}
