package io.lockkeeper.redis;

import io.lockkeeper.redis.Redis.Call;
import io.lockkeeper.redis.Redis.Replicated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Running scripts over one connection. The first try is by digest; a server that does not know it says so and has executed nothing,
 * and gets the text.
 */
final class Exchange {

    private static final Object UNANSWERED = new Object();

    private Exchange() {}

    static @Nullable Object run(Line line, Call call) {
        try {
            return line.ask(Commands.evalsha(call));
        } catch (JedisNoScriptException unknown) {
            return line.ask(Commands.eval(call));
        }
    }

    /** Runs a script on a node of a cluster that its slot is being moved to, which has to be asked for each time. */
    static @Nullable Object runAsking(Line line, Call call) {
        try {
            line.ask(Commands.asking());
            return line.ask(Commands.evalsha(call));
        } catch (JedisNoScriptException unknown) {
            line.ask(Commands.asking());
            return line.ask(Commands.eval(call));
        }
    }

    /**
     * Runs a script and waits until replicas have what this connection wrote. The wait must stand right behind the script
     * on its connection, and is sent with it; a script that turns out to be unknown is sent again with a wait of its own.
     */
    static Replicated run(Line line, Call call, int replicas, boolean asking, Deadline until) {
        try {
            return replicated(line, Commands.evalsha(call), replicas, asking, until);
        } catch (JedisNoScriptException unknown) {
            return replicated(line, Commands.eval(call), replicas, asking, until);
        }
    }

    private static Replicated replicated(
            Line line, CommandArguments script, int replicas, boolean asking, Deadline until) {
        if (asking) {
            line.ask(Commands.asking());
        }
        line.send(script);
        // The server's answer has to be on its way before the time is up, and the server looks at the end of such waits
        // only ten times a second.
        int left = until.millis();
        line.send(Commands.waitFor(replicas, Math.max(1, left - Math.min(left / 2, Math.max(left / 4, 200)))));
        Object reply = null;
        JedisDataException refused = null;
        try {
            reply = line.receive();
        } catch (JedisDataException e) {
            refused = e;
        }
        try {
            long acknowledged = (Long) line.demand();
            if (refused == null) {
                return new Replicated(reply, (int) acknowledged);
            }
        } catch (JedisDataException e) {
            if (refused == null) {
                throw e;
            }
        }
        throw refused;
    }

    /** Runs all; for each its reply, null, or the {@link JedisException} that it failed with. Throws nothing itself. */
    static @Nullable Object[] runAll(Line line, List<Call> calls) {
        @Nullable Object[] outcomes = new @Nullable Object[calls.size()];
        Arrays.fill(outcomes, UNANSWERED);
        try {
            for (Call call : calls) {
                line.send(call, false);
            }
            List<Integer> unknown = new ArrayList<>();
            for (int i = 0; i < outcomes.length; i++) {
                outcomes[i] = outcome(line);
                if (outcomes[i] instanceof JedisNoScriptException) {
                    outcomes[i] = UNANSWERED;
                    unknown.add(i);
                }
            }
            Set<Script> sent = new HashSet<>();
            for (int i : unknown) {
                Call call = calls.get(i);
                line.send(call, sent.add(call.script()));
            }
            for (int i : unknown) {
                outcomes[i] = outcome(line);
            }
        } catch (JedisException lost) {
            for (int i = 0; i < outcomes.length; i++) {
                if (outcomes[i] == UNANSWERED) {
                    outcomes[i] = lost;
                }
            }
        }
        return outcomes;
    }

    private static @Nullable Object outcome(Line line) {
        try {
            return line.receive();
        } catch (JedisDataException refused) {
            return refused;
        }
    }
}
