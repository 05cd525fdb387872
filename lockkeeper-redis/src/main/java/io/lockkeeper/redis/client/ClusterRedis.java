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

/** A cluster: each key is on the node that has its slot. For what is sent again, see {@link Redirections}. */
final class ClusterRedis implements Redis {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private final ClusterNodes nodes;
    private final Map<Address, PrimaryUptime> primaryUptimes = new ConcurrentHashMap<>();

    ClusterRedis(ClusterNodes nodes) {
        this.nodes = nodes;
    }

    /** What is asked of a node that has the slot, or that is just getting it. */
    private interface Question {
        @Nullable
        Object of(ConnectionPool node, boolean asking);
    }

    /** What is asked over one connection. */
    private interface NodeQuestion {
        @Nullable
        Object over(SocketConnection connection);
    }

    private static @Nullable Object over(ConnectionPool node, Deadline until, NodeQuestion question) {
        SocketConnection connection = node.take(until);
        try {
            return question.over(connection);
        } finally {
            node.give(connection);
        }
    }

    @Override
    public @Nullable Object run(Call call, Duration timeout) {
        return run(call, Deadline.in(timeout));
    }

    private @Nullable Object run(Call call, Deadline until) {
        return ask(
                slot(call),
                until,
                (node, asking) -> asking
                        ? over(node, until, connection -> ScriptRunner.runAsking(connection, call))
                        : node.run(call, until));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        return (Replicated) requireNonNull(ask(
                slot(call),
                until,
                (node, asking) ->
                        over(node, until, connection -> ScriptRunner.run(connection, call, replicas, asking, until))));
    }

    static int slot(Call call) {
        return call.keys().isEmpty() ? 0 : HashSlot.of(call.keys().get(0));
    }

    private @Nullable Object ask(int slot, Deadline until, Question question) {
        return Redirections.follow(
                slot,
                until,
                nodes,
                (node, redirected, asking) -> question.of(nodes.pool(requireNonNull(node)), asking));
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration timeout) {
        return runAll(calls, false, Deadline.in(timeout));
    }

    @Override
    public List<@Nullable Object> runFirst(List<Call> calls, Duration timeout) {
        return runAll(calls, true, Deadline.in(timeout));
    }

    private List<@Nullable Object> runAll(List<Call> calls, boolean urgent, Deadline until) {
        if (calls.isEmpty()) {
            return List.of();
        }
        Address node;
        @Nullable Object[] outcomes;
        try {
            node = nodes.owner(slot(calls.get(0)), until);
            ConnectionPool pool = nodes.pool(node);
            SocketConnection connection = urgent ? pool.takeFirst(until) : pool.take(until);
            try {
                outcomes = ScriptRunner.runAll(connection, calls);
            } finally {
                pool.give(connection);
            }
        } catch (StoreUnavailableException unsent) {
            return Collections.nCopies(calls.size(), unsent);
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof RequestException e) {
                outcomes[i] = again(calls.get(i), node, e, until);
            }
        }
        return Arrays.asList(outcomes);
    }

    /** One of a pipeline that failed: alone, if it was surely not executed. */
    private @Nullable Object again(Call call, Address node, RequestException e, Deadline until) {
        if (e instanceof ErrorReplyException moved && moved.is(Kind.MOVED)) {
            nodes.moved(slot(call), node, moved.target(node));
        } else if (!(e instanceof ErrorReplyException)) {
            nodes.doubt(node);
        }
        if (!Redirections.isUnexecuted(e)) {
            return RedisErrors.asking(node, e);
        }
        try {
            return run(call, until);
        } catch (RuntimeException trouble) {
            return trouble;
        }
    }

    @Override
    public String node(byte[] key) {
        Address owner = nodes.knownOwner(HashSlot.of(key));
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
    public List<byte[]> scan(byte[] pattern, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        List<byte[]> keys = new ArrayList<>();
        for (Address node : nodes.table(until).primaries()) {
            askNode(node, until, connection -> ServerCommands.scan(connection, pattern, keys));
        }
        return keys;
    }

    @Override
    public Duration uptime(Duration timeout) {
        Deadline until = Deadline.in(timeout);
        Map<Address, Duration> uptimes = new HashMap<>();
        for (Address node : nodes.table(until).primaries()) {
            PrimaryUptime primaryUptime = primaryUptimes.computeIfAbsent(node, any -> new PrimaryUptime());
            askNode(
                    node,
                    until,
                    connection -> uptimes.put(
                            node, primaryUptime.of(ServerCommands.info(connection, "server", "replication"))));
        }
        return uptimes.isEmpty() ? Duration.ZERO : Collections.min(uptimes.values());
    }

    /** A node that cannot be asked now hurts only its own slots, so the others are used all the same. */
    @Override
    public List<ServerInfo> check(Duration timeout) {
        Deadline until = Deadline.in(timeout);
        List<Address> primaries = List.copyOf(nodes.table(until).primaries());
        List<ServerInfo> infos = new ArrayList<>();
        List<StoreUnavailableException> silent = new ArrayList<>();
        for (int i = 0; i < primaries.size(); i++) {
            Address node = primaries.get(i);
            try {
                Deadline share = until.within(until.left() / (primaries.size() - i));
                askNode(node, share, connection -> infos.add(ServerRequirements.check(connection, node, true)));
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
        } catch (RequestException e) {
            throw RedisErrors.asking(node, e);
        }
    }

    /** Any node does: a message is passed on to all. */
    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return ChannelSubscription.open(channel, listener, new ChannelSubscription.Connector() {
            @Override
            public SocketConnection open(Deadline until) {
                return nodes.any(until);
            }

            @Override
            public boolean isCurrent(SocketConnection connection, Deadline until) {
                return true;
            }
        });
    }

    @Override
    public void nameConnections(String keeper) {
        nodes.access().clientName().set(keeper);
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
