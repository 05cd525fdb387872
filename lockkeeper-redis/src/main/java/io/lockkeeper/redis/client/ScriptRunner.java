package io.lockkeeper.redis.client;

import io.lockkeeper.redis.client.ErrorReplyException.Kind;
import io.lockkeeper.redis.client.Redis.Call;
import io.lockkeeper.redis.client.Redis.Replicated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts over one connection. The first try is by digest; a server that does not know the digest says so, has executed
 * nothing, and gets the text.
 */
final class ScriptRunner {

    private static final Object UNANSWERED = new Object();

    private ScriptRunner() {}

    static @Nullable Object run(ServerConnection connection, Call call) {
        try {
            return ask(connection, call, false);
        } catch (ErrorReplyException e) {
            return ask(connection, call, unknown(e));
        }
    }

    private static @Nullable Object ask(ServerConnection connection, Call call, boolean whole) {
        connection.send(call, whole);
        return connection.receive();
    }

    /** True if the script was not known and so not executed; any other error is thrown. */
    static boolean unknown(ErrorReplyException e) {
        if (!e.is(Kind.NOSCRIPT)) {
            throw e;
        }
        return true;
    }

    /** Runs a script on a node of a cluster that its slot is being moved to, which has to be asked for each time. */
    static @Nullable Object runAsking(ServerConnection connection, Call call) {
        try {
            connection.ask(Commands.asking());
            return ask(connection, call, false);
        } catch (ErrorReplyException e) {
            boolean whole = unknown(e);
            connection.ask(Commands.asking());
            return ask(connection, call, whole);
        }
    }

    /**
     * Runs a script and waits until replicas have what this connection wrote. The wait must stand right behind the script
     * on its connection, and is sent with it; a script that turns out to be unknown is sent again with a wait of its own.
     */
    static Replicated run(ServerConnection connection, Call call, int replicas, boolean asking, Deadline until) {
        try {
            return replicated(connection, call, false, replicas, asking, until);
        } catch (ErrorReplyException e) {
            return replicated(connection, call, unknown(e), replicas, asking, until);
        }
    }

    private static Replicated replicated(
            ServerConnection connection, Call call, boolean whole, int replicas, boolean asking, Deadline until) {
        if (asking) {
            connection.ask(Commands.asking());
        }
        connection.send(call, whole);
        // The server's answer has to be on its way before the time is up, and the server looks at the end of such waits
        // only ten times a second.
        int left = until.millis();
        connection.send(Commands.waitFor(replicas, Math.max(1, left - Math.min(left / 2, Math.max(left / 4, 200)))));
        Object reply = null;
        ErrorReplyException refused = null;
        try {
            reply = connection.receive();
        } catch (ErrorReplyException e) {
            refused = e;
        }
        try {
            long acknowledged = (Long) connection.demand();
            if (refused == null) {
                return new Replicated(reply, (int) acknowledged);
            }
        } catch (ErrorReplyException e) {
            if (refused == null) {
                throw e;
            }
        }
        throw refused;
    }

    /** Runs all; for each its reply, null, or the {@link RequestException} that it failed with. Throws nothing itself. */
    static @Nullable Object[] runAll(ServerConnection connection, List<Call> calls) {
        @Nullable Object[] outcomes = new @Nullable Object[calls.size()];
        Arrays.fill(outcomes, UNANSWERED);
        try {
            for (Call call : calls) {
                connection.send(call, false);
            }
            List<Integer> unknown = new ArrayList<>();
            for (int i = 0; i < outcomes.length; i++) {
                outcomes[i] = outcome(connection);
                if (outcomes[i] instanceof ErrorReplyException e && e.is(Kind.NOSCRIPT)) {
                    outcomes[i] = UNANSWERED;
                    unknown.add(i);
                }
            }
            Set<Script> sent = new HashSet<>();
            for (int i : unknown) {
                Call call = calls.get(i);
                connection.send(call, sent.add(call.script()));
            }
            for (int i : unknown) {
                outcomes[i] = outcome(connection);
            }
        } catch (RequestException lost) {
            for (int i = 0; i < outcomes.length; i++) {
                if (outcomes[i] == UNANSWERED) {
                    outcomes[i] = lost;
                }
            }
        }
        return outcomes;
    }

    private static @Nullable Object outcome(ServerConnection connection) {
        try {
            return connection.receive();
        } catch (ErrorReplyException refused) {
            return refused;
        }
    }
}
