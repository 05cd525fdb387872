package io.lockkeeper.redis.client;

import java.nio.charset.StandardCharsets;

/** The commands that are sent. */
final class Commands {

    private static final byte[][] SMALL = new byte[32][];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = number(Integer.toString(i));
        }
    }

    private Commands() {}

    static Command evalsha(Redis.Call call) {
        return script(new Command("EVALSHA").add(call.script().digest()), call);
    }

    static Command eval(Redis.Call call) {
        return script(new Command("EVAL").add(call.script().text()), call);
    }

    private static Command script(Command command, Redis.Call call) {
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

    static Command waitFor(int replicas, long millis) {
        return new Command("WAIT").add(replicas).add(millis);
    }

    static Command asking() {
        return new Command("ASKING");
    }

    static Command ping() {
        return new Command("PING");
    }

    static Command scan(byte[] cursor, byte[] pattern) {
        return new Command("SCAN")
                .add(cursor)
                .add("MATCH")
                .add(pattern)
                .add("COUNT")
                .add(1000);
    }

    static Command info(String section) {
        return new Command("INFO").add(section);
    }

    private static byte[] number(String digits) {
        return digits.getBytes(StandardCharsets.US_ASCII);
    }
}
