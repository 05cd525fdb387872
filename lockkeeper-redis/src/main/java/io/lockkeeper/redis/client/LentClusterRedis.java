package io.lockkeeper.redis.client;

import io.lockkeeper.StoreUnavailableException;
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
 * A cluster, over connections of a client that the application made and will close.
 *
 * <p>The client itself would send a command again when a connection broke, whether or not it was executed; so only its
 * connections are used, and its table of slots. For what is sent again, see {@link Redirections}.
 */
public final class LentClusterRedis implements Redis {

    private final ConnectionLender.OfCluster lender;
    private final Redirections.Nodes nodes = new LentNodes();
    private final Map<Address, PrimaryUptime> primaryUptimes = new ConcurrentHashMap<>();

    public LentClusterRedis(ConnectionLender.OfCluster lender) {
        this.lender = lender;
    }

    /** The client's own table of slots. */
    private final class LentNodes implements Redirections.Nodes {

        @Override
        public @Nullable Address owner(int slot, Deadline until) {
            return lender.owner(slot);
        }

        /** The client looks after its nodes by itself. */
        @Override
        public boolean doubt(@Nullable Address node) {
            return false;
        }

        @Override
        public void moved(int slot, @Nullable Address from, Address to) {
            lender.refreshSlots();
        }

        @Override
        public Object name(@Nullable Address node) {
            return node == null ? lender.name() : node;
        }
    }

    private interface Question {
        @Nullable
        Object over(ServerConnection connection, boolean asking);
    }

    @Override
    public @Nullable Object run(Call call, Duration timeout) {
        return run(call, Deadline.in(timeout));
    }

    private @Nullable Object run(Call call, Deadline until) {
        return ask(
                ClusterRedis.slot(call),
                until,
                (connection, asking) ->
                        asking ? ScriptRunner.runAsking(connection, call) : ScriptRunner.run(connection, call));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        Object reply = ask(
                ClusterRedis.slot(call),
                until,
                (connection, asking) -> ScriptRunner.run(connection, call, replicas, asking, until));
        if (reply == null) {
            throw new IllegalStateException("An answer is missing");
        }
        return (Replicated) reply;
    }

    private @Nullable Object ask(int slot, Deadline until, Question question) {
        return Redirections.follow(slot, until, nodes, (node, redirected, asking) -> {
            try (BorrowedConnection connection =
                    redirected && node != null ? lender.borrow(node, until) : lender.borrow(slot, until)) {
                return question.over(connection, asking);
            }
        });
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration timeout) {
        Deadline until = Deadline.in(timeout);
        if (calls.isEmpty()) {
            return List.of();
        }
        @Nullable Object[] outcomes;
        int slot = ClusterRedis.slot(calls.get(0));
        Object where = nodes.name(lender.owner(slot));
        try (BorrowedConnection connection = lender.borrow(slot, until)) {
            outcomes = ScriptRunner.runAll(connection, calls);
        } catch (RuntimeException unsent) {
            return Collections.nCopies(calls.size(), RedisErrors.asking(where, unsent));
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof RequestException e) {
                outcomes[i] = again(calls.get(i), where, e, until);
            }
        }
        return Arrays.asList(outcomes);
    }

    private @Nullable Object again(Call call, Object where, RequestException e, Deadline until) {
        if (!Redirections.isUnexecuted(e)) {
            return RedisErrors.asking(where, e);
        }
        try {
            return run(call, until);
        } catch (RuntimeException trouble) {
            return trouble;
        }
    }

    @Override
    public String node(byte[] key) {
        Address node = lender.owner(HashSlot.of(key));
        return node == null ? "" : node.toString();
    }

    @Override
    public boolean mixesKeys() {
        return false;
    }

    @Override
    public boolean countsListeners() {
        return false;
    }

    /** Replicas are asked too, if the client knows them: what they have is named twice. */
    @Override
    public List<byte[]> scan(byte[] pattern, Duration timeout) {
        List<byte[]> keys = new ArrayList<>();
        askNodes(timeout, (node, connection) -> ServerCommands.scan(connection, pattern, keys));
        return keys;
    }

    @Override
    public Duration uptime(Duration timeout) {
        Map<Address, Duration> uptimes = new HashMap<>();
        askNodes(timeout, (node, connection) -> {
            Map<String, String> info = ServerCommands.info(connection, "server", "replication");
            if ("master".equals(info.get("role"))) {
                uptimes.put(
                        node,
                        primaryUptimes
                                .computeIfAbsent(node, any -> new PrimaryUptime())
                                .of(info));
            }
        });
        return uptimes.isEmpty() ? Duration.ZERO : Collections.min(uptimes.values());
    }

    @Override
    public List<ServerInfo> check(Duration timeout) {
        List<ServerInfo> infos = new ArrayList<>();
        askNodes(timeout, (node, connection) -> {
            if ("master".equals(ServerCommands.info(connection, "replication").get("role"))) {
                infos.add(ServerRequirements.check(connection, node, true));
            }
        });
        return infos;
    }

    private interface NodeQuestion {
        void ask(Address node, ServerConnection connection);
    }

    private void askNodes(Duration timeout, NodeQuestion question) {
        Deadline until = Deadline.in(timeout);
        List<Address> all = lender.nodes();
        if (all.isEmpty()) {
            throw new StoreUnavailableException("The cluster " + lender.name() + " has no known node");
        }
        for (Address node : all) {
            try (BorrowedConnection connection = lender.borrow(node, until)) {
                question.ask(node, connection);
            } catch (RuntimeException e) {
                throw RedisErrors.asking(node, e);
            }
        }
    }

    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return LentRedis.subscribe(lender, channel, listener);
    }

    @Override
    public String describe() {
        return "redis-cluster, by a client of the application";
    }

    /** The client is the application's. */
    @Override
    public void close() {}
}
