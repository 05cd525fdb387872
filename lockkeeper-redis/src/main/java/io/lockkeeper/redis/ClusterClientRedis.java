package io.lockkeeper.redis;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.ErrorReplyException.Kind;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/**
 * A cluster, through a Jedis client that the application made and will close.
 *
 * <p>The client itself sends a command again when a connection broke, whether or not it was executed; so only its
 * connections are used, and its table of slots. A request is sent again only if its node said that it did not execute it. For what
 * is not kept, see {@link JedisAdapter}.
 */
final class ClusterClientRedis implements Redis {

    private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private final ClusterConnectionProvider client;
    private final Map<String, Tenancy> tenancies = new ConcurrentHashMap<>();

    ClusterClientRedis(ClusterConnectionProvider client) {
        this.client = client;
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
                slot(call),
                until,
                (line, asking) -> asking ? Exchange.runAsking(line, call) : Exchange.run(line, call));
    }

    @Override
    public Replicated run(Call call, int replicas, Duration limit) {
        Deadline until = Deadline.in(limit);
        Object reply = ask(slot(call), until, (line, asking) -> Exchange.run(line, call, replicas, asking, until));
        if (reply == null) {
            throw new IllegalStateException("An answer is missing");
        }
        return (Replicated) reply;
    }

    private static int slot(Call call) {
        return call.keys().isEmpty() ? 0 : Slots.of(call.keys().get(0));
    }

    private @Nullable Object ask(int slot, Deadline until, Question question) {
        Address sentTo = null;
        boolean asking = false;
        while (true) {
            Address node = sentTo == null ? owner(slot) : sentTo;
            ErrorReplyException trouble;
            try (ConnectionLine line = borrow(slot, sentTo, until)) {
                return question.over(line, asking);
            } catch (ErrorReplyException refused) {
                if (!ClusterRedis.isUnexecuted(refused)) {
                    throw Trouble.refused(name(node), refused);
                }
                trouble = refused;
            } catch (LockkeeperException e) {
                throw e;
            } catch (RuntimeException e) {
                throw Trouble.asking(name(node), e);
            }
            if (until.left() <= PAUSE) {
                throw Trouble.asking(name(node), trouble);
            }
            asking = trouble.is(Kind.ASK);
            sentTo = trouble.isRedirection() ? trouble.target(node == null ? new Address("", 0) : node) : null;
            if (trouble.is(Kind.MOVED)) {
                learn();
            }
            if (!asking) {
                LockSupport.parkNanos(trouble.is(Kind.MOVED) ? PAUSE / 10 : PAUSE);
            }
        }
    }

    private static Object name(@Nullable Address node) {
        return node == null ? ClientRedis.NAME : node;
    }

    /** The node that the client believes to have a slot, null if it does not know. */
    private @Nullable Address owner(int slot) {
        HostAndPort node = client.getNode(slot);
        return node == null ? null : new Address(node.getHost(), node.getPort());
    }

    private ConnectionLine borrow(int slot, @Nullable Address sentTo, Deadline until) {
        return ClientRedis.borrow(
                limit -> ConnectionLine.over(
                        sentTo == null
                                ? client.getConnectionFromSlot(slot)
                                : client.getConnection(new HostAndPort(sentTo.host(), sentTo.port())),
                        limit),
                until);
    }

    /** Has the client read its table of slots again. */
    private void learn() {
        try {
            client.renewSlotCache();
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "The table of slots could not be read again", e);
        }
    }

    @Override
    public List<@Nullable Object> runAll(List<Call> calls, Duration limit) {
        Deadline until = Deadline.in(limit);
        if (calls.isEmpty()) {
            return List.of();
        }
        @Nullable Object[] outcomes;
        int slot = slot(calls.get(0));
        Object where = name(owner(slot));
        try (ConnectionLine line = borrow(slot, null, until)) {
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
        Address node = owner(Slots.of(key));
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
        Map<String, Duration> uptimes = new HashMap<>();
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
    public void check(Duration limit) {
        askNodes(limit, (node, line) -> {
            if ("master".equals(Server.info(line, "replication").get("role"))) {
                Fitness.check(line, node, true);
            }
        });
    }

    private interface NodeQuestion {
        void ask(String node, Line line);
    }

    private void askNodes(Duration limit, NodeQuestion question) {
        Deadline until = Deadline.in(limit);
        Map<String, ConnectionPool> all = client.getNodes();
        if (all.isEmpty()) {
            throw new StoreUnavailableException("The given Jedis client knows no node of its cluster");
        }
        all.forEach((node, pool) -> {
            try (ConnectionLine line =
                    ClientRedis.borrow(most -> ConnectionLine.over(pool.getResource(), most), until)) {
                question.ask(node, line);
            } catch (LockkeeperException e) {
                throw e;
            } catch (RuntimeException e) {
                throw Trouble.asking(node, e);
            }
        });
    }

    @Override
    public Subscription subscribe(byte[] channel, Listener listener) {
        return ClientEar.open(until -> ConnectionLine.over(client.getConnection(), until), channel, listener);
    }

    @Override
    public String describe() {
        return "redis-cluster, by a client of the application";
    }

    /** The client is the application's. */
    @Override
    public void close() {}
}
