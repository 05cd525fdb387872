package io.lockkeeper.redis;

import static java.util.Objects.requireNonNull;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.ErrorReplyException.Kind;
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

/**
 * A cluster: each key is on the node that has its slot.
 *
 * <p>A node that sends a request elsewhere, or says that it can not serve it just now, has not executed it; so it is sent
 * again, within its limit. One that did not answer may have, so it is not.
 */
final class ClusterRedis implements Redis {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int MOST_AT_ONCE = 4;

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

    private static int slot(Call call) {
        return call.keys().isEmpty() ? 0 : Slots.of(call.keys().get(0));
    }

    private @Nullable Object ask(int slot, Deadline until, Question question) {
        Address sentTo = null;
        RuntimeException trouble = null;
        int redirections = 0;
        while (true) {
            Address node = sentTo == null ? owner(slot, until, trouble) : sentTo;
            Pool pool = nodes.pool(node);
            boolean asking = trouble instanceof ErrorReplyException said && said.is(Kind.ASK);
            sentTo = null;
            try {
                return question.of(pool, asking);
            } catch (StoreUnavailableException unsent) {
                nodes.doubt(node);
                trouble = unsent;
            } catch (ErrorReplyException refused) {
                if (!isUnexecuted(refused)) {
                    throw Trouble.refused(node, refused);
                }
                trouble = refused;
                if (refused.isRedirection()) {
                    sentTo = refused.target(node);
                    if (refused.is(Kind.MOVED)) {
                        nodes.moved(slot, node, sentTo);
                    }
                } else {
                    nodes.doubt(node);
                }
            } catch (ExchangeException lost) {
                nodes.doubt(node);
                // What was said all the time tells more than that the last of many tries had no time left.
                throw Trouble.asking(node, until.hasPassed() && trouble != null ? trouble : lost);
            }
            if (until.left() <= PAUSE) {
                throw Trouble.asking(node, trouble);
            }
            // Two nodes may send each other's clients to and fro for a moment.
            if (sentTo == null || ++redirections > MOST_AT_ONCE) {
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    private Address owner(int slot, Deadline until, @Nullable RuntimeException trouble) {
        try {
            return nodes.owner(slot, until);
        } catch (StoreUnavailableException unknown) {
            if (trouble instanceof ErrorReplyException said && until.hasPassed()) {
                throw Trouble.refused(describe(), said);
            }
            throw unknown;
        }
    }

    /** Whether a request that failed so was surely not executed, and may be sent again: elsewhere, or here in a moment. */
    static boolean isUnexecuted(ExchangeException e) {
        return e instanceof ErrorReplyException refused
                && switch (refused.kind()) {
                    case MOVED, ASK, TRYAGAIN, CLUSTERDOWN, LOADING -> true;
                    default -> Trouble.isReadOnly(refused);
                };
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
        if (!isUnexecuted(e)) {
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
        return owner == null ? "" : RedisUrl.text(owner);
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
    public void check(Duration limit) {
        Deadline until = Deadline.in(limit);
        List<Address> primaries = List.copyOf(nodes.table(until).primaries());
        List<StoreUnavailableException> silent = new ArrayList<>();
        for (int i = 0; i < primaries.size(); i++) {
            Address node = primaries.get(i);
            try {
                Deadline share = until.within(until.left() / (primaries.size() - i));
                askNode(node, share, wire -> Fitness.check(wire, node, true));
            } catch (StoreUnavailableException e) {
                silent.add(e);
            }
        }
        if (silent.size() == primaries.size()) {
            throw silent.get(0);
        }
        silent.forEach(Fitness::warnOfSilence);
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
