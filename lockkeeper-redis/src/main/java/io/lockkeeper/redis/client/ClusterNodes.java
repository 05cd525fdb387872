package io.lockkeeper.redis.client;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a cluster, the connections to each, and the table of slots.
 *
 * <p>Invariant: a failing node delays only requests for its slots. A node that redirected a request, or did not answer, is
 * doubted; a request for a slot of a doubted node first reads the table again, from another node. Requests for other slots go
 * on with the table as it is.
 */
final class ClusterNodes implements Redirections.Nodes {

    private static final long ENOUGH_FOR_ONE = ClientPolicy.CLUSTER_NODE_ANSWER.toNanos();

    private final List<Address> seeds;
    private final ConnectionSettings access;
    private final int maxConnections;
    private final String description;

    private final Map<Address, ConnectionPool> pools = new ConcurrentHashMap<>();
    private final Set<Address> doubted = ConcurrentHashMap.newKeySet();
    private final ReentrantLock looking = new ReentrantLock();

    private volatile @Nullable SlotTable table;
    private volatile boolean closed;

    /** @param maxConnections the most connections to each node */
    ClusterNodes(List<Address> seeds, ConnectionSettings access, int maxConnections, String description) {
        this.seeds = List.copyOf(seeds);
        this.access = access;
        this.maxConnections = maxConnections;
        this.description = description;
    }

    ConnectionSettings access() {
        return access;
    }

    /** The node that has a slot, as far as known; looked up if nothing is known of it, or if that node is doubted. */
    @Override
    public Address owner(int slot, Deadline until) {
        SlotTable known = table;
        Address owner = known == null ? null : known.owner(slot);
        if (owner != null && !doubted.contains(owner)) {
            return owner;
        }
        owner = look(known, owner, until).owner(slot);
        if (owner == null) {
            throw new StoreUnavailableException(
                    "No node of " + description + " has slot " + slot + " now; see CLUSTER SLOTS there");
        }
        return owner;
    }

    /** The node that has a slot, without asking; null if it is not known. */
    @Nullable
    Address knownOwner(int slot) {
        SlotTable known = table;
        return known == null ? null : known.owner(slot);
    }

    SlotTable table(Deadline until) {
        return look(table, null, until);
    }

    ConnectionPool pool(Address node) {
        ConnectionPool pool = pools.computeIfAbsent(node, server -> new ConnectionPool(server, access, maxConnections));
        if (closed) {
            pool.close();
        }
        return pool;
    }

    @Override
    public boolean doubt(@Nullable Address node) {
        if (node != null) {
            doubted.add(node);
        }
        return true;
    }

    @Override
    public void moved(int slot, @Nullable Address from, Address to) {
        doubt(from);
        SlotTable known = table;
        if (known != null && !to.equals(known.owner(slot)) && looking.tryLock()) {
            try {
                table = known.with(slot, to);
            } finally {
                looking.unlock();
            }
        }
    }

    /** Reads the table again, unless another thread has just done so. */
    private SlotTable look(@Nullable SlotTable known, @Nullable Address suspect, Deadline until) {
        if (!until.lock(looking)) {
            throw new StoreUnavailableException("The nodes of " + description + " did not answer in time");
        }
        try {
            SlotTable now = table;
            if (now != null && now != known) {
                return now;
            }
            SlotTable told = ask(known, suspect, until);
            table = told;
            doubted.clear();
            pools.forEach((node, pool) -> {
                if (!told.all().contains(node) && pools.remove(node, pool)) {
                    pool.close();
                }
            });
            return told;
        } finally {
            looking.unlock();
        }
    }

    private SlotTable ask(@Nullable SlotTable known, @Nullable Address suspect, Deadline until) {
        LockkeeperException trouble = null;
        List<Address> candidates = candidates(known, suspect);
        for (int i = 0; i < candidates.size() && !until.hasPassed(); i++) {
            int others = candidates.size() - 1 - i;
            // The last one gets all the time that is left: there is nobody else to ask, and it may only be slow.
            Deadline share = others == 0
                    ? until
                    : until.within(Math.min(ENOUGH_FOR_ONE, until.left() / Math.min(3, others + 1)));
            try {
                return ask(candidates.get(i), share);
            } catch (StoreUnavailableException e) {
                trouble = e;
            }
        }
        throw new StoreUnavailableException("No node of " + description + " told who has which slot", trouble);
    }

    /** The nodes to ask: known and not doubted ones first, in any order, the suspect last. */
    List<Address> candidates(@Nullable SlotTable known, @Nullable Address suspect) {
        List<Address> good = new ArrayList<>(known == null ? seeds : known.all());
        Collections.shuffle(good, ThreadLocalRandom.current());
        Set<Address> candidates = new LinkedHashSet<>(good);
        candidates.removeAll(doubted);
        candidates.addAll(good);
        candidates.addAll(seeds);
        if (suspect != null && candidates.remove(suspect)) {
            candidates.add(suspect);
        }
        return List.copyOf(candidates);
    }

    private SlotTable ask(Address node, Deadline until) {
        ConnectionPool pool = pool(node);
        SocketConnection connection = pool.take(until);
        try {
            Object slots = connection.demand(new Command("CLUSTER").add("SLOTS"));
            if (slots instanceof List<?> none && none.isEmpty()) {
                throw new StoreUnavailableException("The node " + node + " knows of no slots");
            }
            return ReplyShape.of("CLUSTER SLOTS", () -> SlotTable.of((List<?>) slots, node));
        } catch (ErrorReplyException e) {
            if (String.valueOf(e.getMessage()).contains("cluster support disabled")) {
                throw new RedisRefusedException(
                        "The Redis server " + node + " is not a node of a cluster; use redis:// instead", e);
            }
            throw RedisErrors.refused(node, e);
        } catch (RequestException e) {
            doubted.add(node);
            throw RedisErrors.asking(node, e);
        } finally {
            pool.give(connection);
        }
    }

    /** A new connection to any node that accepts one. */
    SocketConnection any(Deadline until) {
        LockkeeperException trouble = null;
        List<Address> candidates = candidates(table, null);
        for (int i = 0; i < candidates.size() && !until.hasPassed(); i++) {
            try {
                return SocketConnection.open(
                        candidates.get(i), access, until.within(until.left() / Math.min(3, candidates.size() - i)));
            } catch (StoreUnavailableException e) {
                trouble = e;
            }
        }
        throw new StoreUnavailableException("No node of " + description + " can be reached", trouble);
    }

    @Override
    public Object name(@Nullable Address node) {
        return node == null ? description : node;
    }

    String describe() {
        return description;
    }

    void close() {
        closed = true;
        pools.values().forEach(ConnectionPool::close);
    }
}
