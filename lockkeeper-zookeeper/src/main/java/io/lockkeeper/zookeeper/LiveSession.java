package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Session;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * One session of a keeper: the client that has it, how long it surely lasts, and the nodes that were made in it.
 *
 * <p><b>Invariants.</b> A node is this session's if this session made it; nothing is adopted from another one, whatever its name says.
 * Were the node of an older session taken for a grant, it would vanish when the server ends that session, with a holder that believes
 * in it.
 *
 * <p>After the connection was lost, nothing is concluded from a read that has no {@linkplain Wire#sync sync} before it on the new
 * connection: {@link #catchUp} is called before each read that decides something, and {@link Wire} drops what was asked on one connection
 * and answered on another. Without it: a creation is on its way to the majority when its connection breaks; a read on the next one does
 * not have it yet; so the claim gets a second node, and the first one is in everybody's way.
 */
final class LiveSession {

    final Wire wire;
    final Session session;
    final long id;
    /** Held during a look, so that calls that need one share it. */
    final ReentrantLock looking = new ReentrantLock();

    private final Layout layout;
    private final Clocks clocks;
    private final String contactPath;
    private final Map<String, OwnNode> own = new ConcurrentHashMap<>();
    /** About how many bytes the paths of all nodes have. */
    private final AtomicLong bytes = new AtomicLong();

    /** The number of the connection on which a sync was answered. */
    private volatile long caughtUp;

    private volatile boolean connected = true;
    /** The server has said so. */
    private volatile boolean expired;

    /** When the contact was sent after which the session was last looked at, and all of it seen; null if never. */
    volatile @Nullable Moment lookedAt;
    /** When the last contact was answered. */
    volatile Moment contactedAt;
    /** The server's clock less this one's, as the last contact told: only for people. */
    volatile long clockAhead;

    LiveSession(Wire wire, Session session, Layout layout, Clocks clocks, String contactPath, Moment openedAt) {
        this.wire = wire;
        this.session = session;
        this.layout = layout;
        this.clocks = clocks;
        this.contactPath = contactPath;
        this.id = wire.client().getSessionId();
        this.contactedAt = openedAt;
        this.caughtUp = wire.connection();
    }

    String contactPath() {
        return contactPath;
    }

    // ---- the connection

    void connected() {
        wire.connected();
        connected = true;
    }

    void disconnected() {
        connected = false;
        session.doubt();
    }

    void expired() {
        expired = true;
        connected = false;
        session.end();
    }

    boolean isConnected() {
        return connected;
    }

    boolean isOver() {
        return expired || !wire.client().getState().isAlive() || session.isOver(clocks.now());
    }

    /** Before a read that decides something: the server catches up first, if this is the first one on this connection. */
    void catchUp() {
        long now = wire.connection();
        if (caughtUp != now) {
            wire.sync(layout.root()).thenRun(() -> caughtUp = Math.max(caughtUp, now));
        }
    }

    // ---- contacts

    /** A write to the keeper's own node: what keeps the session alive, and proves that the server reaches its leader. */
    CompletableFuture<Boolean> contact() {
        Moment sentAt = clocks.now();
        return wire.write(contactPath, "", -1)
                .thenApply(stat -> {
                    clockAhead = stat.getMtime() - sentAt.wall() / 1_000_000;
                    return true;
                })
                .exceptionallyCompose(failure -> isMissing(failure)
                        // Somebody deleted it.
                        ? wire.create(contactPath, "", CreateMode.EPHEMERAL).thenApply(made -> true)
                        : CompletableFuture.failedFuture(failure))
                .thenApply(written -> {
                    Moment answeredAt = clocks.now();
                    contactedAt = answeredAt;
                    return session.contacted(sentAt, answeredAt);
                });
    }

    static boolean isMissing(Throwable failure) {
        return failure instanceof KeeperException.NoNodeException
                || failure.getCause() instanceof KeeperException.NoNodeException;
    }

    /** The beginnings of paths that together have all nodes of this session, each with a part that the client accepts. */
    List<String> parts() {
        return layout.parts(bytes.get());
    }

    // ---- nodes

    @Nullable
    OwnNode own(String claimId) {
        return own.get(claimId);
    }

    Map<String, OwnNode> owned() {
        return own;
    }

    OwnNode add(OwnNode node) {
        OwnNode before = own.putIfAbsent(node.name.claimId(), node);
        if (before == null) {
            bytes.addAndGet(weight(node));
        }
        return before == null ? node : before;
    }

    /** The bytes of its path in a list: a slash, a mode of a few letters, two dashes, the number, and the length of it all. */
    private static int weight(OwnNode node) {
        return node.folder.length() + node.name.claimId().length() + 24;
    }

    boolean remove(OwnNode node) {
        boolean removed = own.remove(node.name.claimId(), node);
        if (removed) {
            bytes.addAndGet(-weight(node));
        }
        return removed;
    }
}
