package io.lockkeeper.redis;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/** A line over a connection of somebody's Jedis client. */
record ConnectionLine(Connection connection) implements Line {

    @Override
    public void send(Command command) {
        try {
            connection.sendCommand(JedisTerms.command(command));
        } catch (JedisException e) {
            throw JedisTerms.translated(e);
        }
    }

    @Override
    public @Nullable Object receive() {
        try {
            return connection.getOne();
        } catch (JedisException e) {
            throw JedisTerms.translated(e);
        }
    }
}
