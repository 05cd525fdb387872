package io.lockkeeper.redis;

import io.lockkeeper.Resource;
import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.quorum.QuorumBuilder;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.redis.RedisOptions;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Five independent servers that vote. They never forget while a case runs, so they may vote at once; others would have to be
 * up for as long as the longest lease first.
 */
final class RedlockFixture implements BackendFixture {

    private static final int MEMBERS = 5;
    private static final int MAJORITY = 3;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final List<RedisServer> servers;
    private final boolean own;
    private final List<RedisBackend> members = new ArrayList<>();
    private final Quorum quorum;

    private RedlockFixture(List<RedisServer> servers, boolean own) {
        this.servers = servers;
        this.own = own;
        // They answer at once; a busy machine does not.
        QuorumBuilder builder =
                Quorum.builder().nodeTimeout(Duration.ofSeconds(2)).longestLease(Duration.ofMinutes(10));
        String prefix = "?prefix=lockkeeper" + COUNT.incrementAndGet();
        for (RedisServer server : servers) {
            RedisBackend member = RedisBackend.at(server.url(AppUser.NAME, AppUser.PASSWORD) + prefix);
            members.add(member);
            builder.durableMember(member);
        }
        quorum = builder.build();
    }

    static List<RedisServer> startServers() {
        return servers(AppUser::on);
    }

    /** On servers that others use too. */
    static RedlockFixture sharing(List<RedisServer> servers) {
        return new RedlockFixture(servers, false);
    }

    /**
     * On servers of its own, which it may stop. They write down what they acknowledge before they do. (Processes are killed
     * here and machines are not, so what was given to the system is safe.)
     */
    static RedlockFixture alone() {
        return new RedlockFixture(
                servers(options -> AppUser.on(options).set("appendonly", "yes").set("appendfsync", "no")), true);
    }

    private static List<RedisServer> servers(UnaryOperator<RedisOptions> wishes) {
        return Stream.generate(() -> wishes.apply(RedisServer.options()).start())
                .limit(MEMBERS)
                .toList();
    }

    @Override
    public Backend backend() {
        return quorum;
    }

    /** Five servers and all cases at once keep a small machine busy. */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(3);
    }

    @Override
    public Set<Fault> faults() {
        return own ? EnumSet.of(Fault.LOSE_GRANTS, Fault.PAUSE, Fault.KILL) : EnumSet.of(Fault.LOSE_GRANTS);
    }

    @Override
    public void loseGrants(Resource resource) {
        String key = members.get(0).key(resource);
        servers.forEach(server -> server.command("DEL", key, key + ":g"));
    }

    @Override
    public void pauseServer() {
        majority().forEach(RedisServer::pause);
    }

    @Override
    public void resumeServer() {
        majority().forEach(RedisServer::resume);
    }

    @Override
    public void killServer() {
        majority().forEach(RedisServer::kill);
    }

    @Override
    public void restartServer() {
        majority().forEach(RedisServer::restart);
    }

    private List<RedisServer> majority() {
        if (!own) {
            throw new IllegalStateException("Others use these servers too; take a fixture that stands alone");
        }
        return servers.subList(0, MAJORITY);
    }

    @Override
    public void close() {
        quorum.close();
        if (own) {
            servers.forEach(RedisServer::close);
        }
    }
}
