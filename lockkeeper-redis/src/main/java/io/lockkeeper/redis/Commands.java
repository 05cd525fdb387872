package io.lockkeeper.redis;

import java.nio.charset.StandardCharsets;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.Protocol.Keyword;

/** The commands that are sent. */
final class Commands {

    private static final byte[][] SMALL = new byte[32][];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = number(Integer.toString(i));
        }
    }

    private Commands() {}

    static CommandArguments evalsha(Redis.Call call) {
        return script(new CommandArguments(Command.EVALSHA).add(call.script().digest()), call);
    }

    static CommandArguments eval(Redis.Call call) {
        return script(new CommandArguments(Command.EVAL).add(call.script().text()), call);
    }

    private static CommandArguments script(CommandArguments command, Redis.Call call) {
        int keys = call.keys().size();
        command.add(keys < SMALL.length ? SMALL[keys] : number(Integer.toString(keys)));
        for (byte[] key : call.keys()) {
            command.add(key);
        }
        for (byte[] argument : call.arguments()) {
            command.add(argument);
        }
        return command;
    }

    static CommandArguments waitFor(int replicas, long millis) {
        return new CommandArguments(Command.WAIT).add(replicas).add(millis);
    }

    static CommandArguments asking() {
        return new CommandArguments(Command.ASKING);
    }

    static CommandArguments ping() {
        return new CommandArguments(Command.PING);
    }

    static CommandArguments scan(byte[] cursor, byte[] pattern) {
        return new CommandArguments(Command.SCAN)
                .add(cursor)
                .add(Keyword.MATCH)
                .add(pattern)
                .add(Keyword.COUNT)
                .add(1000);
    }

    static CommandArguments info(String section) {
        return new CommandArguments(Command.INFO).add(section);
    }

    private static byte[] number(String digits) {
        return digits.getBytes(StandardCharsets.US_ASCII);
    }
}
