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
    private final Map<Address, Tenancy> tenancies = new ConcurrentHashMap<>();

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
        Object over(Line line, boolean asking);
    }

    @Override
    public @Nullable Object run(Call call, Duration limit) {
        return run(call, Deadline.in(limit));
    }

    private @Nullable Object run(Call call, Deadline until) {
        return ask(
                ClusterRedis.slot(call),
                until,
                (line, asking) -> asking ? Exchange.runAsking(line, call) : Exchange.run(line, call));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration limit) {
        Deadline until = Deadline.in(limit);
        Object reply = ask(
                ClusterRedis.slot(call), until, (line, asking) -> Exchange.run(line, call, replicas, asking, until));
        if (reply == null) {
            throw new IllegalStateException("An answer is missing");
        }
        return (Replicated) reply;
    }

    private @Nullable Object ask(int slot, Deadline until, Question question) {
        return Redirections.follow(slot, until, nodes, (node, redirected, asking) -> {
            try (BorrowedConnection line =
                    redirected && node != null ? lender.borrow(node, until) : lender.borrow(slot, until)) {
                return question.over(line, asking);
            }
        });
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration limit) {
        Deadline until = Deadline.in(limit);
        if (calls.isEmpty()) {
            return List.of();
        }
        @Nullable Object[] outcomes;
        int slot = ClusterRedis.slot(calls.get(0));
        Object where = nodes.name(lender.owner(slot));
        try (BorrowedConnection line = lender.borrow(slot, until)) {
            outcomes = Exchange.runAll(line, calls);
        } catch (RuntimeException unsent) {
            return Collections.nCopies(calls.size(), Trouble.asking(where, unsent));
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof ExchangeException e) {
                outcomes[i] = again(calls.get(i), where, e, until);
            }
        }
        return Arrays.asList(outcomes);
    }

    private @Nullable Object again(Call call, Object where, ExchangeException e, Deadline until) {
        if (!Redirections.isUnexecuted(e)) {
            return Trouble.asking(where, e);
        }
        try {
            return run(call, until);
        } catch (RuntimeException trouble) {
            return trouble;
        }
    }

    @Override
    public String node(byte[] key) {
        Address node = lender.owner(Slots.of(key));
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
    public List<byte[]> scan(byte[] pattern, Duration limit) {
        List<byte[]> keys = new ArrayList<>();
        askNodes(limit, (node, line) -> Server.scan(line, pattern, keys));
        return keys;
    }

    @Override
    public Duration uptime(Duration limit) {
        Map<Address, Duration> uptimes = new HashMap<>();
        askNodes(limit, (node, line) -> {
            Map<String, String> info = Server.info(line, "server", "replication");
            if ("master".equals(info.get("role"))) {
                uptimes.put(
                        node,
                        tenancies.computeIfAbsent(node, any -> new Tenancy()).of(info));
            }
        });
        return uptimes.isEmpty() ? Duration.ZERO : Collections.min(uptimes.values());
    }

    @Override
    public List<ServerInfo> check(Duration limit) {
        List<ServerInfo> infos = new ArrayList<>();
        askNodes(limit, (node, line) -> {
            if ("master".equals(Server.info(line, "replication").get("role"))) {
                infos.add(ServerRequirements.check(line, node, true));
            }
        });
        return infos;
    }

    private interface NodeQuestion {
        void ask(Address node, Line line);
    }

    private void askNodes(Duration limit, NodeQuestion question) {
        Deadline until = Deadline.in(limit);
        List<Address> all = lender.nodes();
        if (all.isEmpty()) {
            throw new StoreUnavailableException("The cluster " + lender.name() + " has no known node");
        }
        for (Address node : all) {
            try (BorrowedConnection line = lender.borrow(node, until)) {
                question.ask(node, line);
            } catch (RuntimeException e) {
                throw Trouble.asking(node, e);
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
