package io.lockkeeper.engine;

import io.lockkeeper.spi.Moment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * When which grant is to be renewed, and when it will have ended. Fixed grants go along: the store confirms them and extends
 * nothing, so that a holder is told of their loss like any other.
 *
 * <p><b>Invariants.</b> Grants are renewed in the order in which they are due, many in one request. At most one request is
 * under way for each node of the store and each {@linkplain Lane#pace pace}, so that a node that hangs delays nobody else's,
 * and no grant waits longer for the request of others than about its own would take at most. The end of a grant never
 * waits for a request: it is found by {@link #ended} alone.
 *
 * <p>Without the pace, one lost reply would lose other locks: the request of a lease of 30 s may take a second, and a lease
 * of one second would be over when it may be sent at last. Nor would it help to give all of them the timeout of the shortest
 * lease: then a thousand grants would have to be renewed in the time that is right for one.
 */
public final class Renewals {

    private final Map<Grant, Entry> entries = new HashMap<>();
    private final Map<Lane, Node> nodes = new HashMap<>();
    private final TreeSet<Entry> byDeadline = new TreeSet<>(Entry.BY_DEADLINE);
    private long numbers;
    /** The least by which the wall clock was ahead of the monotonic one since the grants were last looked at. */
    private long ahead = Long.MAX_VALUE;

    /** A grant is held from now on. */
    public void add(Grant grant, String node) {
        Entry entry = new Entry(grant, node, numbers++);
        entries.put(grant, entry);
        place(entry, grant.heardAt().mono() + grant.period());
    }

    /** A grant is not held any more. */
    public void remove(Grant grant) {
        Entry entry = entries.remove(grant);
        if (entry != null) {
            unplace(entry);
        }
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** It may not be held any more: renew it next. An answer that is under way may be older than the doubt. */
    public void hasten(Grant grant, Moment now) {
        Entry entry = entries.get(grant);
        if (entry != null && entry.underWay) {
            entry.doubted = true;
        } else if (entry != null) {
            unplace(entry);
            place(entry, now.mono());
        }
    }

    /** The moment of the monotonic clock at which there is something to do next. */
    public long next() {
        long next = byDeadline.isEmpty() ? Long.MAX_VALUE : byDeadline.first().deadline;
        for (Node node : nodes.values()) {
            if (!node.busy && !node.byDue.isEmpty()) {
                next = Math.min(next, node.byDue.first().due);
            }
        }
        return next;
    }

    /** The requests to send now, one for each node and pace that has something due and none under way. */
    public List<Batch> due(Moment now) {
        heedJump(now);
        List<Batch> batches = new ArrayList<>(1);
        for (Map.Entry<Lane, Node> named : nodes.entrySet()) {
            Node node = named.getValue();
            if (!node.busy && !node.byDue.isEmpty() && node.byDue.first().due <= now.mono()) {
                batches.add(new Batch(named.getKey(), take(node, now)));
            }
        }
        return batches;
    }

    private static List<Grant> take(Node node, Moment now) {
        List<Entry> taken = new ArrayList<>();
        for (Entry entry : node.byDue) {
            if (entry.due > now.mono() + KeeperPolicy.LONGEST_EARLY_RENEWAL.toNanos()
                    || taken.size() == KeeperPolicy.RENEWAL_BATCH) {
                break;
            }
            if (entry.due - entry.grant.period() / 4 <= now.mono()) {
                taken.add(entry);
            }
        }
        node.busy = true;
        List<Grant> grants = new ArrayList<>(taken.size());
        for (Entry entry : taken) {
            node.byDue.remove(entry);
            entry.underWay = true;
            grants.add(entry.grant);
        }
        return grants;
    }

    /** The same, for a store whose nodes have what they have for good. */
    public void done(Batch batch, Moment now) {
        done(batch, now, grant -> batch.node());
    }

    /**
     * A request was answered or failed; what is still held is due again, those that failed sooner.
     *
     * @param nodeOf says which node has a grant from now on
     */
    public void done(Batch batch, Moment now, Function<Grant, String> nodeOf) {
        Node node = nodes.get(batch.lane());
        if (node != null) {
            node.busy = false;
        }
        for (Grant grant : batch.grants()) {
            Entry entry = entries.get(grant);
            if (entry != null && entry.underWay) {
                unplace(entry);
                entry.underWay = false;
                entry.lane = Lane.of(grant, nodeOf.apply(grant));
                long regular = grant.heardAt().mono() + grant.period();
                long next = Math.max(regular, now.mono() + grant.period() / KeeperPolicy.RENEWAL_RETRIES);
                place(entry, entry.doubted ? now.mono() : next);
                entry.doubted = false;
            }
        }
        drop(batch.lane());
    }

    /** Grants whose deadline has passed by either clock. */
    public List<Grant> ended(Moment now) {
        heedJump(now);
        List<Grant> ended = new ArrayList<>(0);
        List<Entry> longer = new ArrayList<>(0);
        for (Entry entry : byDeadline) {
            if (entry.deadline > now.mono()) {
                break;
            }
            if (entry.grant.remaining(now) > 0) {
                longer.add(entry);
            } else {
                ended.add(entry.grant);
            }
        }
        for (Entry entry : longer) {
            // The wall clock jumped forward and back again. Left where it is, it would be looked at without a pause.
            byDeadline.remove(entry);
            entry.deadline = now.mono() + entry.grant.remaining(now);
            byDeadline.add(entry);
        }
        return ended;
    }

    /**
     * Deadlines are ordered by the monotonic clock. When the wall clock gained on it, as after a machine was suspended,
     * each grant is looked at anew.
     */
    private void heedJump(Moment now) {
        long aheadNow = now.wall() - now.mono();
        if (aheadNow <= ahead || aheadNow - ahead < KeeperPolicy.CLOCK_JUMP.toNanos()) {
            ahead = Math.min(ahead, aheadNow);
            return;
        }
        ahead = aheadNow;
        for (Entry entry : List.copyOf(entries.values())) {
            long remaining = entry.grant.remaining(now);
            boolean late = now.since(entry.grant.heardAt()) >= entry.grant.period();
            boolean underWay = entry.underWay;
            unplace(entry);
            place(
                    entry,
                    late ? now.mono() : entry.due,
                    remaining == Long.MAX_VALUE ? remaining : now.mono() + remaining);
            if (underWay) {
                node(entry).byDue.remove(entry);
                entry.underWay = true;
            }
        }
    }

    private void place(Entry entry, long due) {
        place(entry, due, entry.grant.deadline());
    }

    private void place(Entry entry, long due, long deadline) {
        entry.due = due;
        entry.deadline = deadline;
        node(entry).byDue.add(entry);
        if (deadline != Long.MAX_VALUE) {
            byDeadline.add(entry);
        }
    }

    private void unplace(Entry entry) {
        byDeadline.remove(entry);
        Node node = nodes.get(entry.lane);
        if (node != null) {
            node.byDue.remove(entry);
            drop(entry.lane);
        }
    }

    private Node node(Entry entry) {
        return nodes.computeIfAbsent(entry.lane, name -> new Node());
    }

    private void drop(Lane lane) {
        Node node = nodes.get(lane);
        if (node != null && node.byDue.isEmpty() && !node.busy) {
            nodes.remove(lane);
        }
    }

    /**
     * What is renewed together, one request after the other.
     *
     * @param pace the same for grants whose requests have about the same timeout, up to a factor of the root of two: so none of
     *     them waits for another's request for more than half of its lease
     */
    public record Lane(String node, int pace) {

        static Lane of(Grant grant, String node) {
            long timeout = Math.max(1, grant.claim().timeout().toNanos());
            int doublings = 63 - Long.numberOfLeadingZeros(timeout);
            // Whether it is in the upper half of its octave: the square decides, without a root.
            double part = (double) timeout / (1L << doublings);
            return new Lane(node, 2 * doublings + (part * part >= 2 ? 1 : 0));
        }
    }

    /** Grants of one node that are renewed by one request. */
    public record Batch(Lane lane, List<Grant> grants) {

        /** A request for these grants of a node, all of one pace. */
        Batch(String node, List<Grant> grants) {
            this(Lane.of(grants.get(0), node), grants);
        }

        public String node() {
            return lane.node();
        }
    }

    private static final class Node {
        private final TreeSet<Entry> byDue = new TreeSet<>(Entry.BY_DUE);
        private boolean busy;
    }

    private static final class Entry {
        // In one piece each, since all that is held passes here with every renewal.
        static final Comparator<Entry> BY_DUE = (one, other) ->
                one.due != other.due ? Long.compare(one.due, other.due) : Long.compare(one.number, other.number);
        static final Comparator<Entry> BY_DEADLINE = (one, other) -> one.deadline != other.deadline
                ? Long.compare(one.deadline, other.deadline)
                : Long.compare(one.number, other.number);

        private final Grant grant;
        private final long number;
        private Lane lane;
        private long due;
        private long deadline;
        private boolean underWay;
        private boolean doubted;

        Entry(Grant grant, String node, long number) {
            this.grant = grant;
            this.lane = Lane.of(grant, node);
            this.number = number;
        }
    }
}
