package io.lockkeeper.redis;

import io.lockkeeper.Resource;
import io.lockkeeper.quorum.Quorum;
import io.lockkeeper.quorum.QuorumBuilder;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.BackendFixture;
import io.lockkeeper.testkit.Fault;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Five independent servers that vote. They write down what they acknowledge before they do, so a killed one comes back with
 * its memory and may vote at once; others would have to be up for as long as the longest lease.
 */
final class RedlockFixture implements BackendFixture {

    private static final int MEMBERS = 5;
    private static final int MAJORITY = 3;

    private final List<RedisServer> servers;
    private final List<RedisBackend> members = new ArrayList<>();
    private final Quorum quorum;

    RedlockFixture() {
        servers = Stream.generate(RedlockFixture::start).limit(MEMBERS).toList();
        // They answer at once; a busy machine does not.
        QuorumBuilder builder =
                Quorum.builder().nodeLimit(Duration.ofSeconds(2)).longestLease(Duration.ofMinutes(10));
        for (RedisServer server : servers) {
            RedisBackend member = RedisBackend.at(server.url(AppUser.NAME, AppUser.PASSWORD));
            members.add(member);
            builder.durableMember(member);
        }
        quorum = builder.build();
    }

    /** Processes are killed here and machines are not, so what was given to the system is safe. */
    private static RedisServer start() {
        return AppUser.on(RedisServer.options())
                .set("appendonly", "yes")
                .set("appendfsync", "no")
                .start();
    }

    @Override
    public Backend backend() {
        return quorum;
    }

    @Override
    public Set<Fault> faults() {
        return EnumSet.allOf(Fault.class);
    }

    @Override
    public void loseGrants(Resource resource) {
        String key = members.get(0).key(resource);
        servers.forEach(server -> server.command("DEL", key, key + ":g"));
    }

    @Override
    public void pauseServer() {
        servers.subList(0, MAJORITY).forEach(RedisServer::pause);
    }

    @Override
    public void resumeServer() {
        servers.subList(0, MAJORITY).forEach(RedisServer::resume);
    }

    @Override
    public void killServer() {
        servers.subList(0, MAJORITY).forEach(RedisServer::kill);
    }

    @Override
    public void restartServer() {
        servers.subList(0, MAJORITY).forEach(RedisServer::restart);
    }

    @Override
    public void close() {
        quorum.close();
        servers.forEach(RedisServer::close);
    }
}
