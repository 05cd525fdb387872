package io.lockkeeper.redis;

import io.lockkeeper.redis.client.Address;
import io.lockkeeper.testkit.redis.RedisServer;

/** The servers below a fixture, and the faults that can be injected into all of them at once. */
interface Servers extends AutoCloseable {

    static Address address(RedisServer server) {
        return new Address("127.0.0.1", server.port());
    }

    /** Where the application's user finds them. */
    String url();

    /** The server that has a key. */
    RedisServer primaryOf(String key);

    void pause();

    void resume();

    void kill();

    /** The store is there again. */
    void restart();

    @Override
    void close();
}
