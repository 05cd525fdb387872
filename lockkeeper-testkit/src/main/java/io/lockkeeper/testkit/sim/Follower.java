package io.lockkeeper.testkit.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server between keepers and the leader that ends sessions. It passes requests on at once, but that it heard of a session only
 * every quarter of the timeout. What it passes on arrives in order: a request never overtakes an earlier sign of life by more than
 * that.
 *
 * <p>While it is cut off from its leader it answers reads, from what it knew before. Other requests wait in it, and are passed on
 * when the leader can be reached again, long after those who sent them have given up.
 */
final class Follower {

    private final SessionServer leader;
    /** The sessions that it heard of since it last said so. */
    private final Set<Long> heard = new LinkedHashSet<>();

    private final Deque<Runnable> waiting = new ArrayDeque<>();
    /** What each session owned when it was cut off; null while it is not. */
    private @Nullable Map<Long, List<SessionServer.Node>> known;

    Follower(SessionServer leader) {
        this.leader = leader;
    }

    boolean isCutOff() {
        return known != null;
    }

    void cutOff() {
        Map<Long, List<SessionServer.Node>> owned = new HashMap<>();
        for (long session : leader.sessions()) {
            owned.put(session, leader.owned(session));
        }
        known = owned;
    }

    void mend() {
        known = null;
        tellOfSessions();
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    /** The time has come to tell the leader which sessions live. */
    void tellOfSessions() {
        if (!isCutOff()) {
            heard.forEach(leader::heardOf);
            heard.clear();
        }
    }

    /** The leader is gone; a new one gives every session its whole time. */
    void forget() {
        heard.clear();
        waiting.clear();
    }

    /** A request of a session that the leader has to execute. */
    <T> T pass(long session, Supplier<T> request) {
        heard.add(session);
        if (isCutOff()) {
            waiting.add(() -> unheard(request.get()));
            throw new SimNetwork.Silence();
        }
        return request.get();
    }

    /** Nobody waits for the answer any more. */
    @SuppressWarnings("unused")
    private static void unheard(Object answer) {}

    /** What a session owns, as far as this server knows; null if the session is over. */
    @Nullable
    List<SessionServer.Node> read(long session) {
        heard.add(session);
        Map<Long, List<SessionServer.Node>> old = known;
        if (old != null) {
            return old.get(session);
        }
        return leader.lives(session) ? new ArrayList<>(leader.owned(session)) : null;
    }
}
