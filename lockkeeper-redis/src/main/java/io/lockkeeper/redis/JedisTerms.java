package io.lockkeeper.redis;

import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Commands and failures of this module in the terms of Jedis, and the other way round. */
final class JedisTerms {

    private JedisTerms() {}

    static CommandArguments command(Command command) {
        List<byte[]> parts = command.parts();
        byte[] name = parts.get(0);
        CommandArguments arguments = new CommandArguments(() -> name);
        for (byte[] part : parts.subList(1, parts.size())) {
            arguments.add(part);
        }
        return arguments;
    }

    /** An exception of Jedis as one of this module; others as they are. */
    static RuntimeException translated(RuntimeException e) {
        if (e instanceof JedisDataException refused) {
            return ErrorReplyException.of(String.valueOf(refused.getMessage()), refused);
        }
        return e instanceof JedisException lost ? new NoReplyException(String.valueOf(lost.getMessage()), lost) : e;
    }
}
