package io.lockkeeper.redis;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A line through somebody's Jedis client. A pipeline is used even for one command: it has one connection and sends everything once, while the
 * client itself may be made to repeat what failed.
 */
final class PipelineLine implements Line, AutoCloseable {

    private final AbstractPipeline pipeline;
    private final ArrayDeque<Response<Object>> sent = new ArrayDeque<>();
    private final ArrayDeque<Response<Object>> answered = new ArrayDeque<>();

    PipelineLine(UnifiedJedis client) {
        this.pipeline = client.pipelined();
    }

    @Override
    public void send(Command command) {
        try {
            sent.add(pipeline.sendCommand(JedisTerms.command(command)));
        } catch (JedisException e) {
            throw JedisTerms.translated(e);
        }
    }

    @Override
    public @Nullable Object receive() {
        try {
            if (answered.isEmpty()) {
                pipeline.sync();
                answered.addAll(sent);
                sent.clear();
            }
            return answered.remove().get();
        } catch (JedisException e) {
            throw JedisTerms.translated(e);
        }
    }

    @Override
    public void close() {
        try {
            pipeline.close();
        } catch (JedisException broken) {
            // Whoever asked has been told; the connection is closed all the same.
        }
    }
}
