package io.lockkeeper.redis.client;

import static java.util.Objects.requireNonNull;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.client.ErrorReplyException.Kind;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster: each key is on the node that has its slot.
 *
 * <p>A node that sends a request elsewhere, or says that it can not serve it just now, has not executed it; so it is sent
 * again, within its limit. One that did not answer may have, so it is not.
 */
final class ClusterRedis implements Redis {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private final ClusterNodes nodes;
    private final Map<Address, Tenancy> tenancies = new ConcurrentHashMap<>();

    ClusterRedis(ClusterNodes nodes) {
        this.nodes = nodes;
    }

    /** What is asked of a node that has the slot, or that is just getting it. */
    private interface Question {
        @Nullable
        Object of(Pool node, boolean asking);
    }

    /** What is asked over one connection. */
    private interface NodeQuestion {
        @Nullable
        Object over(Wire wire);
    }

    private static @Nullable Object over(Pool node, Deadline until, NodeQuestion question) {
        Wire wire = node.take(until);
        try {
            return question.over(wire);
        } finally {
            node.give(wire);
        }
    }

    @Override
    public @Nullable Object run(Call call, Duration limit) {
        return run(call, Deadline.in(limit));
    }

    private @Nullable Object run(Call call, Deadline until) {
        return ask(
                slot(call),
                until,
                (node, asking) ->
                        asking ? over(node, until, wire -> Exchange.runAsking(wire, call)) : node.run(call, until));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration limit) {
        Deadline until = Deadline.in(limit);
        return (Replicated) requireNonNull(ask(
                slot(call),
                until,
                (node, asking) -> over(node, until, wire -> Exchange.run(wire, call, replicas, asking, until))));
    }

    static int slot(Call call) {
        return call.keys().isEmpty() ? 0 : Slots.of(call.keys().get(0));
    }

    private @Nullable Object ask(int slot, Deadline until, Question question) {
        return Redirections.follow(
                slot,
                until,
                nodes,
                (node, redirected, asking) -> question.of(nodes.pool(requireNonNull(node)), asking));
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration limit) {
        return runAll(calls, false, Deadline.in(limit));
    }

    @Override
    public List<@Nullable Object> runFirst(List<Call> calls, Duration limit) {
        return runAll(calls, true, Deadline.in(limit));
    }

    private List<@Nullable Object> runAll(List<Call> calls, boolean urgent, Deadline until) {
        if (calls.isEmpty()) {
            return List.of();
        }
        Address node;
        @Nullable Object[] outcomes;
        try {
            node = nodes.owner(slot(calls.get(0)), until);
            Pool pool = nodes.pool(node);
            Wire wire = urgent ? pool.takeFirst(until) : pool.take(until);
            try {
                outcomes = Exchange.runAll(wire, calls);
            } finally {
                pool.give(wire);
            }
        } catch (StoreUnavailableException unsent) {
            return Collections.nCopies(calls.size(), unsent);
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof ExchangeException e) {
                outcomes[i] = again(calls.get(i), node, e, until);
            }
        }
        return Arrays.asList(outcomes);
    }

    /** One of a pipeline that failed: alone, if it was surely not executed. */
    private @Nullable Object again(Call call, Address node, ExchangeException e, Deadline until) {
        if (e instanceof ErrorReplyException moved && moved.is(Kind.MOVED)) {
            nodes.moved(slot(call), node, moved.target(node));
        } else if (!(e instanceof ErrorReplyException)) {
            nodes.doubt(node);
        }
        if (!Redirections.isUnexecuted(e)) {
            return Trouble.asking(node, e);
        }
        try {
            return run(call, until);
        } catch (RuntimeException trouble) {
            return trouble;
        }
    }

    @Override
    public String node(byte[] key) {
        Address owner = nodes.knownOwner(Slots.of(key));
        return owner == null ? "" : owner.urlText();
    }

    @Override
    public boolean mixesKeys() {
        return false;
    }

    @Override
    public boolean countsListeners() {
        return false;
    }

    @Override
    public List<byte[]> scan(byte[] pattern, Duration limit) {
        Deadline until = Deadline.in(limit);
        List<byte[]> keys = new ArrayList<>();
        for (Address node : nodes.table(until).primaries()) {
            askNode(node, until, wire -> Server.scan(wire, pattern, keys));
        }
        return keys;
    }

    @Override
    public Duration uptime(Duration limit) {
        Deadline until = Deadline.in(limit);
        Map<Address, Duration> uptimes = new HashMap<>();
        for (Address node : nodes.table(until).primaries()) {
            Tenancy tenancy = tenancies.computeIfAbsent(node, any -> new Tenancy());
            askNode(node, until, wire -> uptimes.put(node, tenancy.of(Server.info(wire, "server", "replication"))));
        }
        return uptimes.isEmpty() ? Duration.ZERO : Collections.min(uptimes.values());
    }

    /** A node that can not be asked now hurts only its own slots, so the others are used all the same. */
    @Override
    public List<ServerInfo> check(Duration limit) {
        Deadline until = Deadline.in(limit);
        List<Address> primaries = List.copyOf(nodes.table(until).primaries());
        List<ServerInfo> infos = new ArrayList<>();
        List<StoreUnavailableException> silent = new ArrayList<>();
        for (int i = 0; i < primaries.size(); i++) {
            Address node = primaries.get(i);
            try {
                Deadline share = until.within(until.left() / (primaries.size() - i));
                askNode(node, share, wire -> infos.add(ServerRequirements.check(wire, node, true)));
            } catch (StoreUnavailableException e) {
                silent.add(e);
            }
        }
        if (silent.size() == primaries.size()) {
            throw silent.get(0);
        }
        silent.forEach(e -> LOG.log(Level.WARNING, "Some keys cannot be used for now: {0}", e.getMessage()));
        return infos;
    }

    private void askNode(Address node, Deadline until, NodeQuestion question) {
        try {
            over(nodes.pool(node), until, question);
        } catch (ExchangeException e) {
            throw Trouble.asking(node, e);
        }
    }

    /** Any node does: a message is passed on to all. */
    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return Ear.open(channel, listener, new Ear.Dial() {
            @Override
            public Wire open(Deadline until) {
                return nodes.any(until);
            }

            @Override
            public boolean isRight(Wire wire, Deadline until) {
                return true;
            }
        });
    }

    @Override
    public void introduce(String keeper) {
        nodes.access().introduction().keeper(keeper);
    }

    @Override
    public String describe() {
        return nodes.describe();
    }

    @Override
    public void close() {
        nodes.close();
    }
}
