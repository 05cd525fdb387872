package io.lockkeeper.zookeeper;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Durations;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Session;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The session of one keeper, one at a time: a thread of its own contacts the server, looks what the session has, and opens another
 * session when this one is over.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>With every contact the session is looked at. A node of a claim that the keeper does not know is deleted, also while nothing is
 *       held: a late request may have made it, and everybody behind it would wait for as long as this keeper lives.
 *   <li>A node that a look does not find, though it was made before the look was sent, is gone: its claim holds nothing, and the
 *       keeper is notified.
 *   <li>A session that is over for this keeper is closed and never used again. Were it used because the server still has it, a
 *       holder that was told of its loss would find its node and hold again, beside the next holder.
 * </ul>
 */
final class Sessions {

    private static final Logger LOG = System.getLogger("io.lockkeeper.zookeeper");

    private final SessionSource source;
    private final Layout layout;
    private final Keeper keeper;
    private final Clocks clocks;
    private final Consumer<LiveSession> cleaning;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Written under the lock. */
    private volatile @Nullable LiveSession current;
    /** The one before it, which says whether a claim was lost with its session. */
    private volatile @Nullable LiveSession previous;

    private volatile boolean closed;
    private volatile boolean hurry;

    /** @param cleaning removes, with every contact, what is old enough */
    Sessions(SessionSource source, Layout layout, Keeper keeper, Consumer<LiveSession> cleaning) {
        this.source = source;
        this.layout = layout;
        this.keeper = keeper;
        this.clocks = keeper.clocks();
        this.cleaning = cleaning;
        this.thread = new Thread(this::run, "lockkeeper-zookeeper-" + keeper.id());
        thread.setDaemon(true);
    }

    /** Opens the first session and keeps it from now on. */
    void start() {
        Duration patience = keeper.commandTimeout().compareTo(ZookeeperPolicy.OPENING) > 0
                ? keeper.commandTimeout()
                : ZookeeperPolicy.OPENING;
        LiveSession opened = open(Deadline.in(patience));
        become(opened);
        thread.start();
    }

    private void become(@Nullable LiveSession session) {
        lock.lock();
        try {
            LiveSession before = current;
            if (before != null) {
                previous = before;
            }
            current = session;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The session, after a wait for one if need be. */
    LiveSession current(Deadline until) {
        LiveSession now = current;
        if (now != null && !now.isOver()) {
            return now;
        }
        wake();
        boolean interrupted = false;
        lock.lock();
        try {
            while (true) {
                now = current;
                if (now != null && !now.isOver()) {
                    return now;
                }
                if (closed) {
                    throw new StoreUnavailableException("The store is closed");
                }
                long left = until.left();
                if (left <= 0) {
                    throw new StoreUnavailableException(
                            "There is no session with ZooKeeper at " + source.describe() + " just now");
                }
                try {
                    changed.awaitNanos(Math.min(left, ZookeeperPolicy.RETRY.toNanos()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What a request that changes nothing answers; it is repeated while the connection is lost and there is time. */
    <T> T read(Deadline until, Function<LiveSession, T> request) {
        while (true) {
            LiveSession in = current(until);
            in.catchUp();
            try {
                return request.apply(in);
            } catch (StoreUnavailableException failure) {
                if (until.left() <= ZookeeperPolicy.RETRY.toNanos()) {
                    throw failure;
                }
                clocks.park(this, clocks.now().mono() + ZookeeperPolicy.RETRY.toNanos());
            }
        }
    }

    boolean isCurrent(LiveSession session) {
        return current == session && !session.isOver();
    }

    boolean isReachable() {
        LiveSession now = current;
        return now != null && now.isConnected() && !now.isOver();
    }

    /** Whether that claim had a node in the session before this one. */
    boolean endedWithSession(String claimId) {
        LiveSession before = previous;
        return before != null && before.own(claimId) != null;
    }

    private void wake() {
        hurry = true;
        LockSupport.unpark(thread);
    }

    // ---- the thread

    private void run() {
        while (!closed) {
            hurry = false;
            try {
                LiveSession now = current;
                if (now == null) {
                    become(open(Deadline.in(ZookeeperPolicy.OPENING)));
                    keeper.signalAll();
                } else if (now.isOver()) {
                    giveUp(now);
                } else {
                    keep(now);
                }
            } catch (RuntimeException failure) {
                LOG.log(Level.DEBUG, () -> "No contact with " + source.describe() + ": " + failure.getMessage());
                pause(clocks.now().mono() + ZookeeperPolicy.RETRY.toNanos(), false);
            }
        }
    }

    private void keep(LiveSession now) {
        long due = now.contactedAt.mono() + now.session.contactEvery().toNanos();
        if (now.session.isUncertain(clocks.now())) {
            due = clocks.now().mono();
        }
        if (clocks.now().mono() - due < 0) {
            pause(due, true);
            return;
        }
        Moment before = now.contactedAt;
        // Short enough that it can be repeated before the session is over.
        look(now, Deadline.in(now.session.timeout().dividedBy(6)));
        cleaning.accept(now);
        if (now.contactedAt.equals(before) && !now.isOver()) {
            pause(clocks.now().mono() + ZookeeperPolicy.RETRY.toNanos(), false);
        }
    }

    private void pause(long until, boolean hurried) {
        while (!closed && !(hurried && hurry) && clocks.now().mono() - until < 0) {
            clocks.park(this, until);
            if (Thread.interrupted()) {
                return;
            }
        }
    }

    /** The session is over: its holders are told if the server ended it, and it is closed if the server still has it. */
    private void giveUp(LiveSession over) {
        become(null);
        if (over.session.isEnded()) {
            LOG.log(Level.WARNING, "The session with " + source.describe() + " has ended");
        }
        keeper.signalAll();
        source.close(over);
    }

    private LiveSession open(Deadline until) {
        Listener listener = new Listener();
        LiveSession opened = source.open(keeper, layout, listener, until);
        listener.of(opened);
        Session session = opened.session;
        if (!source.isTimeoutKept(keeper, session.timeout())) {
            LOG.log(
                    Level.INFO,
                    () -> "ZooKeeper at " + source.describe() + " gives sessions a timeout of "
                            + Durations.text(session.timeout()));
        }
        return opened;
    }

    /** What the client tells of its session. It runs on the client's thread, so it makes no request. */
    private final class Listener implements Watcher {

        private volatile @Nullable LiveSession session;
        private volatile @Nullable WatchedEvent early;

        void of(LiveSession opened) {
            session = opened;
            WatchedEvent missed = early;
            if (missed != null) {
                process(missed);
            }
        }

        @Override
        public void process(WatchedEvent event) {
            LiveSession told = session;
            if (told == null) {
                early = event;
                return;
            }
            switch (event.getState()) {
                case SyncConnected -> told.connected();
                case Disconnected -> told.disconnected();
                case Expired -> told.expired();
                default -> {}
            }
            wake();
        }
    }

    // ---- looks

    /** A look that is not older than that, or another one. */
    void lookedWithin(LiveSession in, long nanos, Deadline until) {
        Moment last = in.lookedAt;
        if (last != null && clocks.now().since(last) <= nanos) {
            return;
        }
        try {
            if (!in.looking.tryLock(Math.max(0, until.left()), TimeUnit.NANOSECONDS)) {
                throw new StoreUnavailableException("ZooKeeper did not answer in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted while waiting for ZooKeeper", e);
        }
        try {
            last = in.lookedAt;
            if (last == null || clocks.now().since(last) > nanos) {
                lookNow(in, until);
            }
        } finally {
            in.looking.unlock();
        }
    }

    /** A contact, and a look behind it. */
    void look(LiveSession in, Deadline until) {
        in.looking.lock();
        try {
            lookNow(in, until);
        } finally {
            in.looking.unlock();
        }
    }

    private void lookNow(LiveSession in, Deadline until) {
        Moment sentAt = clocks.now();
        in.catchUp();
        CompletableFuture<Boolean> contact = in.contact();
        List<CompletableFuture<List<String>>> parts = new ArrayList<>();
        for (String part : in.parts()) {
            parts.add(in.wire.ephemerals(part));
        }
        Wire.answer(contact, until);
        Map<String, String> found = new HashMap<>();
        for (CompletableFuture<List<String>> part : parts) {
            for (String path : Wire.answer(part, until)) {
                NodeName name = NodeName.parse(Layout.name(path));
                OwnNode own = name == null ? null : in.own(name.claimId());
                if (name != null && own != null && own.name.number() != name.number()) {
                    // A claim has one node: narrowed, it keeps its number.
                    deleteIfOurs(in, path);
                } else if (name != null) {
                    found.put(name.claimId(), path);
                }
            }
        }
        reconcile(in, found, sentAt);
        in.lookedAt = sentAt;
    }

    private void reconcile(LiveSession in, Map<String, String> found, Moment sentAt) {
        for (Map.Entry<String, String> node : found.entrySet()) {
            if (in.own(node.getKey()) == null) {
                Resource resource = layout.resourceOf(node.getValue());
                if (resource != null && !keeper.knows(resource, node.getKey())) {
                    deleteIfOurs(in, node.getValue());
                }
            }
        }
        Moment now = clocks.now();
        for (OwnNode node : in.owned().values()) {
            if (found.containsKey(node.name.claimId())) {
                node.seenAt = sentAt;
                if (now.mono() - node.fixedUntil > ZookeeperPolicy.OVERDUE.toNanos()) {
                    in.remove(node);
                    in.wire.delete(node.path(), -1);
                }
            } else if (node.createdAt.mono() - sentAt.mono() < 0 && in.remove(node)) {
                keeper.signal(node.resource);
            }
        }
    }

    /** A session that belongs to the application may have the claims of other keepers too. */
    private void deleteIfOurs(LiveSession in, String path) {
        in.wire.read(path, null).thenAccept(node -> {
            if (NodeData.read(node.text()).keeper().equals(keeper.id())) {
                in.wire.delete(path, -1);
            }
        });
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
        LiveSession last = current;
        become(null);
        if (last != null) {
            last.session.end();
            source.close(last);
        }
    }
}
