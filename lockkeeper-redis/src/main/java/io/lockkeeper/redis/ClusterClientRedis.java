package io.lockkeeper.redis;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * A cluster, through a Jedis client that the application made and will close.
 *
 * <p>The client itself sends a command again when a connection broke, whether or not it was executed; so only its
 * connections are used, and its table of slots. The limit of a request counts for tries, not for one that hangs: that is for the client's settings.
 */
final class ClusterClientRedis implements Redis {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private final UnifiedJedis client;
    private final IntFunction<Connection> bySlot;
    private final Supplier<Map<String, ConnectionPool>> nodes;
    /** Who had which slot when it was last asked; the client does not tell without giving a connection. */
    private final AtomicReferenceArray<@Nullable String> seen = new AtomicReferenceArray<>(Slots.COUNT);

    private final Map<String, Tenancy> tenancies = new ConcurrentHashMap<>();

    ClusterClientRedis(
            UnifiedJedis client, IntFunction<Connection> bySlot, Supplier<Map<String, ConnectionPool>> nodes) {
        this.client = client;
        this.bySlot = bySlot;
        this.nodes = nodes;
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
        return ask(call, until, (line, asking) -> asking ? Exchange.runAsking(line, call) : Exchange.run(line, call));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration limit) {
        Deadline until = Deadline.in(limit);
        Object reply = ask(call, until, (line, asking) -> Exchange.run(line, call, replicas, asking, until));
        if (reply == null) {
            throw new IllegalStateException("An answer is missing");
        }
        return (Replicated) reply;
    }

    private static int slot(Call call) {
        return call.keys().isEmpty() ? 0 : Slots.of(call.keys().get(0));
    }

    private @Nullable Object ask(Call call, Deadline until, Question question) {
        int slot = slot(call);
        String target = null;
        while (true) {
            String where = ClientRedis.NAME;
            ErrorReplyException trouble;
            try (Connection connection = connection(slot, target)) {
                where = String.valueOf(connection.getHostAndPort());
                if (target == null) {
                    seen.set(slot, where);
                }
                return question.over(new ConnectionLine(connection), target != null);
            } catch (ErrorReplyException refused) {
                if (!ClusterRedis.isUnexecuted(refused)) {
                    throw Trouble.refused(where, refused);
                }
                trouble = refused;
            } catch (RuntimeException e) {
                throw Trouble.asking(where, JedisTerms.translated(e));
            }
            if (until.left() <= PAUSE) {
                throw Trouble.asking(where, trouble);
            }
            target = null;
            if (trouble.is(ErrorReplyException.Kind.ASK)) {
                target = String.valueOf(trouble.target(new Address(where, 0)));
            } else if (trouble.is(ErrorReplyException.Kind.MOVED)) {
                learn(call);
            } else {
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    private Connection connection(int slot, @Nullable String target) {
        if (target == null) {
            return bySlot.apply(slot);
        }
        ConnectionPool pool = nodes.get().get(target);
        if (pool == null) {
            throw new JedisConnectionException("The client does not know the node " + target + " yet");
        }
        return pool.getResource();
    }

    /** Has the client find out where a slot is: it looks at its table again when a command of its own is sent elsewhere. */
    private void learn(Call call) {
        try {
            client.exists(call.keys().get(0));
        } catch (RuntimeException e) {
            throw Trouble.asking(ClientRedis.NAME, JedisTerms.translated(e));
        }
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration limit) {
        Deadline until = Deadline.in(limit);
        if (calls.isEmpty()) {
            return List.of();
        }
        @Nullable Object[] outcomes;
        String where;
        try (Connection connection = bySlot.apply(slot(calls.get(0)))) {
            where = String.valueOf(connection.getHostAndPort());
            outcomes = Exchange.runAll(new ConnectionLine(connection), calls);
        } catch (RuntimeException unsent) {
            return Collections.nCopies(calls.size(), Trouble.asking(ClientRedis.NAME, JedisTerms.translated(unsent)));
        }
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] instanceof ExchangeException e) {
                outcomes[i] = again(calls.get(i), where, e, until);
            }
        }
        return Arrays.asList(outcomes);
    }

    private @Nullable Object again(Call call, String where, ExchangeException e, Deadline until) {
        if (!ClusterRedis.isUnexecuted(e)) {
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
        String node = seen.get(Slots.of(key));
        return node == null ? "" : node;
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
        askNodes((node, line) -> Server.scan(line, pattern, keys));
        return keys;
    }

    @Override
    public Duration uptime(Duration limit) {
        Map<String, Duration> uptimes = new HashMap<>();
        askNodes((node, line) -> {
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
    public void check(Duration limit) {
        askNodes((node, line) -> {
            if ("master".equals(Server.info(line, "replication").get("role"))) {
                Fitness.check(line, node, true);
            }
        });
    }

    private interface NodeQuestion {
        void ask(String node, Line line);
    }

    private void askNodes(NodeQuestion question) {
        Map<String, ConnectionPool> all = nodes.get();
        if (all.isEmpty()) {
            throw new StoreUnavailableException("The given Jedis client knows no node of its cluster");
        }
        all.forEach((node, pool) -> {
            try (Connection connection = pool.getResource()) {
                question.ask(node, new ConnectionLine(connection));
            } catch (LockkeeperException e) {
                throw e;
            } catch (RuntimeException e) {
                throw Trouble.asking(node, JedisTerms.translated(e));
            }
        });
    }

    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return ClientEar.open(client, channel, listener);
    }

    @Override
    public String describe() {
        return "redis-cluster, by a client of the application";
    }

    /** The client is the application's. */
    @Override
    public void close() {}
}
