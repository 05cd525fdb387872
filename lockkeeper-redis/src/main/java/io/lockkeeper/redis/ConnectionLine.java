package io.lockkeeper.redis;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;

/** A line over a connection of somebody's Jedis client. */
record ConnectionLine(Connection connection) implements Line {

    @Override
    public void send(CommandArguments command) {
        connection.sendCommand(command);
    }

    @Override
    public @Nullable Object receive() {
        return connection.getOne();
    }
}
