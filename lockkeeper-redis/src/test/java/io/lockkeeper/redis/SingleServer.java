package io.lockkeeper.redis;

import io.lockkeeper.testkit.redis.RedisServer;

/** One server. */
record SingleServer(RedisServer server) implements Servers {

    static SingleServer start() {
        return new SingleServer(AppUser.on(RedisServer.options()).start());
    }

    @Override
    public String url() {
        return server.url(AppUser.NAME, AppUser.PASSWORD);
    }

    @Override
    public RedisServer primaryOf(String key) {
        return server;
    }

    @Override
    public void pause() {
        server.pause();
    }

    @Override
    public void resume() {
        server.resume();
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public void close() {
        server.close();
    }
}
