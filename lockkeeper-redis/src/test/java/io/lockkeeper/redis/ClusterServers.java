package io.lockkeeper.redis;

import io.lockkeeper.testkit.redis.RedisCluster;
import io.lockkeeper.testkit.redis.RedisServer;

/** A cluster. Faults hit all its nodes, since a case does not say which slot it is about. */
final class ClusterServers implements Servers {

    private final RedisCluster cluster = RedisCluster.start(AppUser::onCluster);

    @Override
    public String url() {
        return cluster.url(AppUser.NAME, AppUser.PASSWORD);
    }

    @Override
    public RedisServer primaryOf(String key) {
        return cluster.nodeOf(key);
    }

    @Override
    public void pause() {
        cluster.nodes().forEach(RedisServer::pause);
    }

    @Override
    public void resume() {
        cluster.nodes().forEach(RedisServer::resume);
    }

    @Override
    public void kill() {
        cluster.nodes().forEach(RedisServer::kill);
    }

    @Override
    public void restart() {
        cluster.nodes().forEach(RedisServer::restart);
        cluster.awaitCalm();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
