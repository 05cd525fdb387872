package io.lockkeeper.redis;

import io.lockkeeper.testkit.redis.RedisSentinels;
import io.lockkeeper.testkit.redis.RedisServer;
import org.jspecify.annotations.Nullable;

/** A primary with replicas and sentinels. Killing it kills the primary, and a replica is promoted. */
final class SentinelServers implements Servers {

    private final RedisSentinels group = RedisSentinels.start(AppUser::on);
    private @Nullable RedisServer killed;

    @Override
    public String url() {
        return group.url(AppUser.NAME, AppUser.PASSWORD);
    }

    @Override
    public RedisServer primaryOf(String key) {
        return group.primary();
    }

    /** All of them: were it only the primary, a replica would take its place. */
    @Override
    public void pause() {
        group.servers().forEach(RedisServer::pause);
    }

    @Override
    public void resume() {
        group.servers().forEach(RedisServer::resume);
    }

    @Override
    public void kill() {
        killed = group.killPrimary();
    }

    @Override
    public void restart() {
        RedisServer old = killed;
        if (old != null) {
            group.awaitPrimaryOtherThan(old);
            old.restart();
        }
    }

    @Override
    public void close() {
        group.close();
    }
}
