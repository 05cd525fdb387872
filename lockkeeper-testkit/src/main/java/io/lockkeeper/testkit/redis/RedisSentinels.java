package io.lockkeeper.testkit.redis;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.TestTimeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A primary, two replicas, and three sentinels of which two must agree.
 *
 * <p>Each server may stand behind a {@link FaultProxy}. Then everybody goes through it who learns its address from the
 * sentinels: clients, replicas, and the sentinels themselves.
 */
public final class RedisSentinels implements AutoCloseable {

    /** What the sentinels call the group. */
    public static final String MASTER = "mymaster";

    private static final int REPLICAS = 2;
    private static final int SENTINELS = 3;
    /** How long a sentinel does nothing after it was not scheduled for two seconds. */
    private static final Duration TILT = Duration.ofSeconds(30);

    private static final Duration DOWN_AFTER = Duration.ofMillis(700);

    /** Replicas come to their primary as this user, so that the link can be cut there. */
    private static final String LINK_USER = "replication-link";

    private static final String LINK_PASSWORD = "link";

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();
    private @Nullable String password;

    private RedisSentinels() {}

    /** Starts all and returns when the sentinels know each other and the replicas follow. */
    public static RedisSentinels start() {
        return start(options -> options);
    }

    /** The same, with wishes for the three servers, such as users. */
    public static RedisSentinels start(UnaryOperator<RedisOptions> wishes) {
        return start(wishes, false);
    }

    /** The same, each server behind a proxy. */
    public static RedisSentinels startProxied(UnaryOperator<RedisOptions> wishes) {
        return start(wishes, true);
    }

    private static RedisSentinels start(UnaryOperator<RedisOptions> wishes, boolean proxied) {
        var group = new RedisSentinels();
        try {
            group.startServers(wishes, proxied);
            group.startSentinels();
            group.awaitCalm();
            group.hurry(Duration.ofMillis(500));
            return group;
        } catch (RuntimeException | Error e) {
            group.close();
            throw e;
        }
    }

    private void startServers(UnaryOperator<RedisOptions> wishes, boolean proxied) {
        for (int i = 0; i <= REPLICAS; i++) {
            // A proxy must be announced before there is a server to point it at: start, then tell.
            RedisOptions options = wishes.apply(RedisServer.options()
                    .user(LINK_USER, "on", ">" + LINK_PASSWORD, "&*", "-@all", "+psync", "+replconf", "+ping"));
            password = options.password();
            RedisServer server = options.set("masteruser", LINK_USER)
                    .set("masterauth", LINK_PASSWORD)
                    .start();
            servers.add(server);
            if (proxied) {
                proxies.add(FaultProxy.to(server.port()));
            }
            server.command("CONFIG", "SET", "replica-announce-ip", "127.0.0.1");
            server.command("CONFIG", "SET", "replica-announce-port", Integer.toString(address(i)));
            server.command("CONFIG", "REWRITE");
            if (i > 0) {
                server.command("REPLICAOF", "127.0.0.1", Integer.toString(address(0)));
            }
        }
    }

    private void startSentinels() {
        for (int i = 0; i < SENTINELS; i++) {
            RedisOptions options = RedisOptions.sentinel()
                    .line("sentinel monitor " + MASTER + " 127.0.0.1 " + address(0) + " 2")
                    .line("sentinel down-after-milliseconds " + MASTER + " " + DOWN_AFTER.toMillis())
                    .line("sentinel failover-timeout " + MASTER + " 3000")
                    .line("sentinel parallel-syncs " + MASTER + " " + REPLICAS);
            if (password != null) {
                options.line("sentinel auth-pass " + MASTER + " " + password);
            }
            sentinels.add(options.start());
        }
        hurry(Duration.ofMillis(100));
    }

    /**
     * Lets sentinels look around often, so that tests need not wait; before 7.0 they cannot. Two of the numbers have a
     * second meaning. A replica whose state is older than five pings is not chosen, and while something is wrong it is asked
     * once a second only. And a replica that says it is a primary for four hellos is put back, so they may say hello often
     * only until they are acquainted: a failover must take less.
     */
    private void hurry(Duration hello) {
        for (RedisServer sentinel : sentinels) {
            try {
                sentinel.command(
                        "SENTINEL",
                        "DEBUG",
                        "info-period",
                        "100",
                        "ping-period",
                        "300",
                        "ask-period",
                        "100",
                        "publish-period",
                        Long.toString(hello.toMillis()));
            } catch (RedisError old) {
                // It takes two seconds longer to see the others.
            }
        }
    }

    /** The port under which the others know a server. */
    private int address(int index) {
        return proxies.isEmpty()
                ? servers.get(index).port()
                : proxies.get(index).port();
    }

    /** Where clients find it, as the default user. */
    public String url() {
        return url(password == null ? "" : ":" + password + "@");
    }

    /** Where clients find it, as a certain user of the servers. The sentinels themselves know no users. */
    public String url(String user, String password) {
        return url(user + ":" + password + "@");
    }

    private String url(String who) {
        return "redis-sentinel://" + who
                + sentinels.stream().map(s -> "127.0.0.1:" + s.port()).collect(Collectors.joining(",")) + "/" + MASTER;
    }

    /** The three servers, in the order of their start. */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /** What stands before a server. */
    public FaultProxy proxy(RedisServer server) {
        if (proxies.isEmpty()) {
            throw new IllegalStateException("There are no proxies: use startProxied");
        }
        return proxies.get(servers.indexOf(server));
    }

    /** The server that the sentinels send clients to. */
    public RedisServer primary() {
        for (RedisServer sentinel : sentinels) {
            if (sentinel.isAlive()) {
                return primaryAccordingTo(sentinel);
            }
        }
        throw new IllegalStateException("No sentinel is alive");
    }

    private RedisServer primaryAccordingTo(RedisServer sentinel) {
        List<?> address = (List<?>) sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER);
        int port = address == null ? 0 : Integer.parseInt(String.valueOf(address.get(1)));
        for (int i = 0; i < servers.size(); i++) {
            if (address(i) == port) {
                return servers.get(i);
            }
        }
        throw new IllegalStateException("The sentinels name port " + port + ", which is none of ours");
    }

    /** The servers that are not the primary. */
    public List<RedisServer> replicas() {
        RedisServer primary = primary();
        return servers.stream().filter(server -> server != primary).toList();
    }

    /**
     * Replicas hear nothing from the primary any more, and it nothing from them: what is written now is lost by a failover.
     * Sentinels choose a replica only within ten times the {@linkplain #DOWN_AFTER time after which they miss a server}.
     */
    public void cutReplication() {
        RedisServer primary = primary();
        primary.command("ACL", "SETUSER", LINK_USER, "off");
        primary.command("CLIENT", "KILL", "TYPE", "replica");
        TestTimeouts.until(
                "the primary has no replica",
                () -> "0".equals(primary.info("replication").get("connected_slaves")));
    }

    /** Replicas can reach all servers again. */
    public void mendReplication() {
        servers.stream().filter(RedisServer::isAlive).forEach(s -> s.command("ACL", "SETUSER", LINK_USER, "on"));
    }

    /**
     * The sentinels make a replica the primary, while the old one lives, and it follows.
     *
     * @return the new primary
     */
    public RedisServer failover() {
        RedisServer old = primary();
        TestTimeouts.until("the sentinels have a new primary", TILT.multipliedBy(2), () -> {
            if (primary() == old) {
                askForFailover();
            }
            return primary() != old;
        });
        return awaitPrimaryOtherThan(old);
    }

    private void askForFailover() {
        try {
            sentinels.get(0).command("SENTINEL", "FAILOVER", MASTER);
        } catch (RedisError underWay) {
            // Or no replica is good enough yet.
        }
    }

    /**
     * Kills the primary and does not wait for what follows.
     *
     * @return the killed server
     */
    public RedisServer killPrimary() {
        RedisServer primary = primary();
        primary.kill();
        return primary;
    }

    /** Waits until all sentinels name another primary, and it says so itself. */
    public RedisServer awaitPrimaryOtherThan(RedisServer old) {
        TestTimeouts.until("all sentinels have a new primary", () -> {
            RedisServer primary = primary();
            return primary != old
                    && sentinels.stream()
                            .filter(RedisServer::isAlive)
                            .allMatch(sentinel -> primaryAccordingTo(sentinel) == primary)
                    && "master".equals(primary.info("replication").get("role"));
        });
        return primary();
    }

    /** Waits until both replicas follow the primary and each sentinel knows the others and the replicas. */
    public void awaitCalm() {
        TestTimeouts.until("the replicas follow", () -> primary().replicasOnline() == REPLICAS);
        TestTimeouts.until(
                "the sentinels know everybody", () -> sentinels.stream().allMatch(RedisSentinels::knowsEverybody));
    }

    private static boolean knowsEverybody(RedisServer sentinel) {
        String master = sentinel.info("sentinel").getOrDefault("master0", "");
        return master.contains("status=ok")
                && master.contains("slaves=" + REPLICAS)
                && master.endsWith("sentinels=" + SENTINELS);
    }

    @Override
    public void close() {
        RedisServer.closeAll(sentinels);
        RedisServer.closeAll(proxies);
        RedisServer.closeAll(servers);
    }
}
