package io.lockkeeper.etcd;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.etcd.client.Deadline;
import io.lockkeeper.etcd.client.Etcd;
import io.lockkeeper.etcd.client.Txn;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Session;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The leases that a keeper keeps alive, one for each length of its claims' leases in whole seconds. A thread of its own renews them,
 * looks what is attached to them, and opens the keeper's own lease again when it is over.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A renewal counts only if a look behind it finds the lease alive. Some versions of etcd answer a renewal of a lease that is
 *       revoked as if it were alive: its holder would believe in keys that are gone.
 *   <li>It counts from when it was sent, see {@link Session}.
 *   <li>With every renewal all keys of the lease are looked at, see {@link LeaseKeys}.
 *   <li>A lease that is over for this keeper is never used again. Were it used because etcd still has it, a holder that was told of its
 *       loss would hold again, beside the next holder.
 * </ul>
 */
final class SessionLeases {

    private static final Logger LOG = System.getLogger("io.lockkeeper.etcd");

    private final Etcd etcd;
    private final Layout layout;
    private final Keeper keeper;
    private final Clocks clocks;
    private final OwnClaims own;
    private final LeaseKeys keys;
    private final @Nullable Duration chosen;
    private final long mainSeconds;
    private final Thread thread;

    private final Map<Long, LiveLease> leases = new ConcurrentHashMap<>();
    /** The ids of all that were opened here, but for those that are known to be gone. */
    private final Set<Long> opened = ConcurrentHashMap.newKeySet();

    private final ReentrantLock opening = new ReentrantLock();
    private volatile boolean closed;
    private volatile boolean hurry;
    private volatile boolean reachable = true;
    private volatile Runnable afterContact = () -> {};

    /** @param chosen the time after which etcd ends a lease that it does not hear of; null for that of each claim */
    SessionLeases(Etcd etcd, Layout layout, Keeper keeper, OwnClaims own, @Nullable Duration chosen) {
        this.etcd = etcd;
        this.layout = layout;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.own = own;
        this.keys = new LeaseKeys(etcd, layout, keeper, own);
        this.chosen = chosen;
        this.mainSeconds = seconds(keeper.lease());
        this.thread = new Thread(this::run, "lockkeeper-etcd-" + keeper.id());
        thread.setDaemon(true);
    }

    /** Runs this after each contact that was answered. */
    void afterContact(Runnable action) {
        afterContact = action;
    }

    /** Opens the keeper's own lease and keeps it from now on. */
    void start(Deadline until) {
        open(mainSeconds, until);
        thread.start();
    }

    private long seconds(Duration lease) {
        Duration wanted = chosen == null ? lease : chosen;
        return Math.max(EtcdPolicy.SHORTEST_SECONDS, (wanted.toMillis() + 999) / 1000);
    }

    /** The keeper's own lease. */
    LiveLease main(Deadline until) {
        return current(mainSeconds, until);
    }

    /** The lease for claims with this one. */
    LiveLease of(Duration lease, Deadline until) {
        LiveLease found = current(seconds(lease), until);
        found.usedAt = clocks.now();
        return found;
    }

    private LiveLease current(long seconds, Deadline until) {
        LiveLease now = leases.get(seconds);
        return now != null && isLive(now) ? now : open(seconds, until);
    }

    boolean isLive(LiveLease lease) {
        return leases.get(lease.asked) == lease && !lease.session.isOver(clocks.now());
    }

    /** The lease with that id, if it is one of these and in use. */
    @Nullable
    LiveLease byId(long id) {
        for (LiveLease lease : leases.values()) {
            if (lease.id == id) {
                return isLive(lease) ? lease : null;
            }
        }
        return null;
    }

    /** Whether that lease was opened here to be renewed, and may still be there; it need not be in use any more. */
    boolean wasOurs(long id) {
        return opened.contains(id);
    }

    private LiveLease open(long seconds, Deadline until) {
        until.lock(opening);
        try {
            LiveLease before = leases.get(seconds);
            if (before != null && isLive(before)) {
                return before;
            }
            if (closed) {
                throw new StoreUnavailableException("The store is closed");
            }
            if (before != null) {
                giveUp(before);
            }
            Moment sentAt = clocks.now();
            Etcd.Lease granted = etcd.grant(seconds, until);
            Session session = Session.direct(Duration.ofSeconds(granted.seconds()), sentAt);
            LiveLease lease = new LiveLease(granted.id(), seconds, granted.seconds(), session, sentAt);
            if (seconds == mainSeconds) {
                Txn mailbox = new Txn();
                mailbox.then().put(layout.mail(keeper.id()), "", granted.id());
                etcd.runApart(mailbox, until);
            }
            opened.add(lease.id);
            leases.put(seconds, lease);
            if (closed) {
                // The closing may have missed it.
                lease.session.end();
                giveUp(lease);
                throw new StoreUnavailableException("The store is closed");
            }
            reachable = true;
            wake();
            return lease;
        } finally {
            opening.unlock();
        }
    }

    boolean isReachable() {
        return reachable;
    }

    private void wake() {
        hurry = true;
        LockSupport.unpark(thread);
    }

    /** etcd has said that there is no such lease. */
    void ended(LiveLease lease) {
        lease.session.end();
        if (leases.remove(lease.asked, lease)) {
            LOG.log(Level.WARNING, "A lease of " + lease.seconds + " s has ended in etcd, and what was held in it");
        }
        keeper.signalAll();
        wake();
    }

    /** The lease is over for this keeper, whatever etcd says: etcd is told, if it can be. */
    private void giveUp(LiveLease over) {
        if (leases.remove(over.asked, over)) {
            keeper.signalAll();
        }
        try {
            etcd.revoke(over.id, Deadline.in(EtcdPolicy.CLOSING));
            opened.remove(over.id);
        } catch (LockkeeperException failure) {
            LOG.log(Level.DEBUG, () -> "A lease was not revoked: " + failure.getMessage());
        }
    }

    // ---- the thread

    private void run() {
        while (!closed) {
            hurry = false;
            try {
                step();
            } catch (RuntimeException failure) {
                LOG.log(Level.DEBUG, () -> "A lease was not renewed: " + failure.getMessage());
                reachable = false;
                pause(clocks.now().mono() + EtcdPolicy.RETRY.toNanos(), false);
            }
        }
    }

    private void step() {
        if (!leases.containsKey(mainSeconds)) {
            open(mainSeconds, Deadline.in(EtcdPolicy.OPENING));
            keeper.signalAll();
        }
        LiveLease next = null;
        long nextDue = 0;
        long shortest = Long.MAX_VALUE;
        for (LiveLease lease : leases.values()) {
            shortest = Math.min(shortest, lease.seconds);
            long due = due(lease);
            if (next == null || due - nextDue < 0) {
                next = lease;
                nextDue = due;
            }
        }
        if (next == null) {
            return;
        }
        if (clocks.now().mono() - nextDue < 0) {
            pause(nextDue, true);
        } else if (next.session.isOver(clocks.now())) {
            giveUp(next);
        } else if (isUnused(next)) {
            next.session.end();
            giveUp(next);
        } else {
            // Short enough that it can be repeated before the shortest lease is over.
            contact(next, Deadline.in(Duration.ofSeconds(shortest).dividedBy(6)));
            own.clean(
                    clocks.now(), Duration.ofSeconds(mainSeconds + mainSeconds).toNanos());
        }
    }

    private long due(LiveLease lease) {
        Moment now = clocks.now();
        return lease.session.isOver(now) || lease.session.isUncertain(now)
                ? now.mono()
                : lease.contactedAt.mono() + lease.session.contactEvery().toNanos();
    }

    private boolean isUnused(LiveLease lease) {
        return lease.asked != mainSeconds
                && clocks.now().since(lease.usedAt) > EtcdPolicy.UNUSED.toNanos()
                && own.all().stream().noneMatch(claim -> claim.lease == lease);
    }

    private void pause(long until, boolean hurried) {
        while (!closed && !(hurried && hurry) && clocks.now().mono() - until < 0) {
            clocks.park(this, until);
            if (Thread.interrupted()) {
                return;
            }
        }
    }

    // ---- contacts and looks

    /** Renews the lease, and looks at it. */
    void contact(LiveLease lease, Deadline until) {
        until.lock(lease.looking);
        try {
            Look look = renewed(lease, until);
            if (look.isAlive()) {
                try {
                    reconcile(lease, look, until);
                } catch (LockkeeperException failure) {
                    LOG.log(Level.DEBUG, () -> "The keys of a lease were not reconciled: " + failure.getMessage());
                }
                afterContact.run();
                return;
            }
        } finally {
            lease.looking.unlock();
        }
        ended(lease);
    }

    /** The renewal counts before the keys are reconciled: that the lease is alive is known, and a key may resist. */
    private Look renewed(LiveLease lease, Deadline until) {
        try {
            Moment sentAt = clocks.now();
            long seconds = etcd.keepAlive(lease.id, until);
            if (seconds < lease.seconds) {
                return new Look(sentAt, new Etcd.LeaseState(-1, List.of()));
            }
            Look look = look(lease, until);
            if (look.isAlive()) {
                reachable = true;
                Moment answeredAt = clocks.now();
                lease.contactedAt = answeredAt;
                lease.session.contacted(sentAt, answeredAt);
            }
            return look;
        } catch (RuntimeException failure) {
            reachable = false;
            lease.session.doubt();
            throw failure;
        }
    }

    /** A look that is not older than that, or another one. */
    void lookedWithin(LiveLease lease, Moment notBefore, Deadline until) {
        until.lock(lease.looking);
        try {
            if (lease.lookedAt.mono() - notBefore.mono() > 0) {
                return;
            }
            Look look = look(lease, until);
            if (look.isAlive()) {
                reconcile(lease, look, until);
                return;
            }
        } finally {
            lease.looking.unlock();
        }
        ended(lease);
    }

    /** What etcd said of a lease and its keys, and when it was asked. */
    private record Look(Moment sentAt, Etcd.LeaseState state) {

        boolean isAlive() {
            return state.seconds() >= 0;
        }
    }

    private Look look(LiveLease lease, Deadline until) {
        Moment sentAt = clocks.now();
        return new Look(sentAt, etcd.look(lease.id, true, until));
    }

    private void reconcile(LiveLease lease, Look look, Deadline until) {
        keys.reconcile(lease, this::isLive, new HashSet<>(look.state().keys()), look.sentAt(), until);
        lease.lookedAt = look.sentAt();
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
        List<LiveLease> last = List.copyOf(leases.values());
        leases.clear();
        for (LiveLease lease : last) {
            lease.session.end();
            try {
                etcd.revoke(lease.id, Deadline.in(EtcdPolicy.CLOSING));
            } catch (LockkeeperException failure) {
                LOG.log(Level.DEBUG, () -> "A lease was not revoked: " + failure.getMessage());
            }
        }
    }
}
