package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * The client of the application, whose session is used and not closed.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>Of a session that somebody else has opened it is not known when the leader last counted a contact. So it is used after two
 *       contacts that are so far apart that the second proves the first. Were it used after one, and the server cut off from its
 *       leader just before, the leader could end the session at any moment.
 *   <li>What was left in a session that was over for a keeper is deleted before that keeper uses the same session again. Else the
 *       node of a claim that was told of its loss would stand before its new one.
 * </ul>
 */
final class ApplicationClient implements SessionSource {

    private final Supplier<? extends ZooKeeper> supplier;
    private final List<ACL> acl;
    /** Paths that have to go before a keeper uses the session again, by contact path. */
    private final Map<String, Collection<String>> left = new ConcurrentHashMap<>();

    ApplicationClient(Supplier<? extends ZooKeeper> supplier, List<ACL> acl) {
        this.supplier = supplier;
        this.acl = acl;
    }

    @Override
    public String describe() {
        return "(a client of the application)";
    }

    @Override
    public boolean isTimeoutKept(Keeper keeper, Duration timeout) {
        return timeout.toMillis() == keeper.lease().toMillis();
    }

    @Override
    public LiveSession open(Keeper keeper, Layout layout, Watcher events, Deadline until) {
        Clocks clocks = keeper.clocks();
        ZooKeeper client = connected(clocks, until);
        Wire wire = new Wire(client, acl);
        String contact = layout.keepers() + "/" + keeper.id() + "-" + Long.toHexString(client.getSessionId());
        Roots.prepare(wire, layout, until);
        List<CompletableFuture<Boolean>> deletions = new ArrayList<>();
        for (String path : left.getOrDefault(contact, List.of())) {
            deletions.add(wire.delete(path, -1));
        }
        for (CompletableFuture<Boolean> deletion : deletions) {
            Wire.ifThere(deletion, until);
        }
        left.remove(contact);
        Moment first = clocks.now();
        Roots.make(wire, contact, "", CreateMode.EPHEMERAL, until);
        Session session = Session.relayed(Duration.ofMillis(client.getSessionTimeout()), first);
        LiveSession opened = new LiveSession(wire, session, layout, clocks, contact, clocks.now());
        long proof = clocks.now().mono() + session.contactEvery().toNanos();
        while (clocks.now().mono() - proof < 0) {
            clocks.park(this, proof);
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new StoreUnavailableException("Interrupted while proving a session of ZooKeeper");
            }
        }
        if (!Wire.answer(opened.contact(), Deadline.in(session.contactEvery())) || client.getSessionId() != opened.id) {
            throw new StoreUnavailableException("The session of the application's client has ended meanwhile");
        }
        // Watches are also told what becomes of the session. Without the answer there may be none.
        Wire.answer(wire.read(layout.format(), events), until);
        return opened;
    }

    private ZooKeeper connected(Clocks clocks, Deadline until) {
        while (true) {
            ZooKeeper client = supplier.get();
            if (client != null && client.getState() == ZooKeeper.States.CONNECTED && client.getSessionTimeout() > 0) {
                return client;
            }
            if (until.left() <= 0 || (client != null && !client.getState().isAlive())) {
                throw new StoreUnavailableException("The application's client of ZooKeeper is " + shown(client));
            }
            clocks.park(this, clocks.now().mono() + ZookeeperPolicy.RETRY.toNanos());
        }
    }

    private static String shown(@Nullable ZooKeeper client) {
        if (client == null) {
            return "not there";
        }
        return client.getState() == ZooKeeper.States.CONNECTEDREADONLY
                ? "connected to a server without a majority, which only reads and so grants no lock"
                : client.getState().toString();
    }

    /** Deletes what this keeper has in the session, which goes on. */
    @Override
    public void close(LiveSession session) {
        List<String> paths = new ArrayList<>();
        for (OwnNode node : session.owned().values()) {
            paths.add(node.path());
        }
        paths.add(session.contactPath());
        left.put(session.contactPath(), paths);
        List<CompletableFuture<Boolean>> deletions = new ArrayList<>();
        for (String path : paths) {
            deletions.add(session.wire.delete(path, -1).exceptionally(failure -> false));
        }
        Deadline until = Deadline.in(ZookeeperPolicy.CLOSING);
        try {
            for (CompletableFuture<Boolean> deletion : deletions) {
                Wire.answer(deletion, until);
            }
        } catch (StoreUnavailableException late) {
            // They are under way, or are deleted when the session is used again.
        }
    }
}
