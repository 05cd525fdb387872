package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.testkit.redis.RedisSentinels;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A primary with two replicas and three sentinels. Each server stands behind a proxy that everybody goes through, so a server
 * can be cut off, from the clients and from the sentinels; a single client cannot.
 */
final class SentinelSite implements Site {

    /** Long enough for the sentinels to miss a server and choose another. */
    private static final Duration FAILOVER = Duration.ofSeconds(2);

    private final RedisSentinels group = RedisSentinels.startProxied(options -> options);

    @Override
    public String url() {
        return group.url();
    }

    @Override
    public List<Fault> faults() {
        return List.of(
                new ScriptedFault("failover by command", true, true, this::failover),
                new ScriptedFault("primary killed", true, true, this::killPrimary),
                new ScriptedFault("primary killed, replicas behind", true, true, this::killPrimaryAhead),
                new ScriptedFault("primary stopped", true, true, this::stopPrimary),
                new ScriptedFault("primary cut off", true, true, this::cutOffPrimary),
                new ScriptedFault("sentinel stopped", false, true, this::stopSentinel),
                new ScriptedFault("signals dropped", false, true, this::dropSignals));
    }

    private String failover(Scene scene, SplittableRandom random) {
        RedisServer old = group.primary();
        group.failover();
        group.awaitCalm();
        return old.toString();
    }

    private String killPrimary(Scene scene, SplittableRandom random) {
        return replace(group.killPrimary());
    }

    /** What is granted after the link was cut is forgotten by the failover. */
    private String killPrimaryAhead(Scene scene, SplittableRandom random) {
        group.cutReplication();
        Pauses.forTime(Pauses.times(Duration.ofMillis(500), 0.2, 1, random));
        RedisServer old = group.killPrimary();
        group.mendReplication();
        return replace(old);
    }

    private String replace(RedisServer old) {
        group.awaitPrimaryOtherThan(old);
        old.restart();
        group.awaitCalm();
        return old.toString();
    }

    /** The old primary goes on as one, for those who are still connected to it, until the sentinels have told it. */
    private String stopPrimary(Scene scene, SplittableRandom random) {
        RedisServer primary = group.primary();
        RedisDeeds.stopFor(primary, FAILOVER.plus(Pauses.times(Duration.ofSeconds(1), 0, 1, random)));
        group.awaitCalm();
        return primary.toString();
    }

    private String cutOffPrimary(Scene scene, SplittableRandom random) {
        RedisServer primary = group.primary();
        Links.swallow(List.of(group.proxy(primary)), FAILOVER.plus(Pauses.times(Duration.ofSeconds(1), 0, 1, random)));
        group.awaitCalm();
        return primary.toString();
    }

    private String stopSentinel(Scene scene, SplittableRandom random) {
        RedisServer sentinel =
                group.sentinels().get(random.nextInt(group.sentinels().size()));
        RedisDeeds.stopFor(sentinel, Pauses.times(scene.lease(), 0.5, 1, random));
        group.awaitCalm();
        return "sentinel " + sentinel.port();
    }

    private String dropSignals(Scene scene, SplittableRandom random) {
        RedisDeeds.dropSubscribers(List.of(group.primary()));
        group.awaitCalm();
        return "primary";
    }

    @Override
    public void close() {
        group.close();
    }
}
