package io.lockkeeper.zookeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.spi.Durations;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link ZookeeperBackend}. */
public final class ZookeeperBackendBuilder {

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(1);

    private @Nullable ZookeeperUrl place;
    private @Nullable Supplier<? extends ZooKeeper> client;
    private @Nullable String root;
    private @Nullable String mutexes;
    private @Nullable List<ACL> acl;
    private @Nullable Duration timeout;

    ZookeeperBackendBuilder() {}

    /**
     * Sets where ZooKeeper is: {@code zk://[user:password@]host[:port],…[/root]}. With a user, all nodes are made so that only this
     * user can read and change them. User and password are percent-encoded.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public ZookeeperBackendBuilder url(String url) {
        place = ZookeeperUrl.parse(given(url, "url"));
        return this;
    }

    /**
     * Sets the application's own client, instead of a {@link #url}. The supplier is called whenever a session is needed: a client
     * that has another session than before is a new session, and what was held in the old one is lost. For Curator that is {@code
     * () -> framework.getZookeeperClient().getZooKeeper()}, with its exception wrapped. Locks end with the session of the client,
     * whose timeout the application has chosen. The application closes the client, after the keepers.
     *
     * <p>Opening a keeper takes about a quarter of the session's timeout: only then it is known when the servers last heard of a
     * session that somebody else has opened.
     */
    public ZookeeperBackendBuilder client(Supplier<? extends ZooKeeper> supplier) {
        client = given(supplier, "supplier");
        return this;
    }

    /**
     * Sets the path below which everything is. Default: that of the URL, or {@code /lockkeeper}. Stores with different roots know
     * nothing of each other.
     *
     * @throws IllegalArgumentException if it cannot be a root
     */
    public ZookeeperBackendBuilder root(String path) {
        root = ZookeeperUrl.root(given(path, "path"));
        return this;
    }

    /**
     * Puts locks, and read-write locks, where Curator's recipes have theirs: the lock {@code orders} is the node {@code
     * folder/orders}, so that it and {@code new InterProcessMutex(framework, "folder/orders")} exclude each other and wait in one
     * queue. So the services of a system can move to Lockkeeper one at a time. All keepers of a name must be set up in the same way.
     *
     * <p>Names of locks are then names of one node: letters, digits, {@code _}, {@code -} and {@code .}; others are refused. Curator's holds
     * have no token that is stored; tokens of holds here still grow. Everything but locks stays below the {@link #root}.
     *
     * @throws IllegalArgumentException if it cannot be a folder
     */
    public ZookeeperBackendBuilder locksBesideCurator(String folder) {
        mutexes = ZookeeperUrl.root(given(folder, "folder"));
        return this;
    }

    /**
     * Sets for which users nodes are made. Default: with a user in the URL, for this user only; else for everybody. A client that
     * authenticates by SASL gives {@code ZooDefs.Ids.CREATOR_ALL_ACL}.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public ZookeeperBackendBuilder acl(List<ACL> acl) {
        this.acl = List.copyOf(given(acl, "acl"));
        if (acl.isEmpty()) {
            throw new IllegalArgumentException("A node for nobody cannot be used; give the acl at least one entry");
        }
        return this;
    }

    /**
     * Sets the timeout of sessions, after which what a dead process held is free. Default: the keeper's lease. The servers may give
     * another one, within their own bounds; that is logged.
     *
     * @throws IllegalArgumentException if it is shorter than 100 ms or longer than a day
     */
    public ZookeeperBackendBuilder sessionTimeout(Duration timeout) {
        given(timeout, "timeout");
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "A session cannot have a timeout of " + Durations.text(timeout) + "; give it 100ms to 1d");
        }
        this.timeout = timeout;
        return this;
    }

    /**
     * Returns the store. It connects when a keeper opens it.
     *
     * @throws IllegalStateException if it has neither a URL nor a client, or both
     */
    public ZookeeperBackend build() {
        Supplier<? extends ZooKeeper> own = client;
        ZookeeperUrl url = place;
        if ((own == null) == (url == null)) {
            throw new IllegalStateException("A store in ZooKeeper needs either a url or a client; give one of them");
        }
        if (own != null) {
            return new ZookeeperBackend(
                    new ApplicationClient(own, acl == null ? ZooDefs.Ids.OPEN_ACL_UNSAFE : acl),
                    layout(root == null ? ZookeeperPolicy.DEFAULT_ROOT : root));
        }
        if (url == null) {
            throw new IllegalStateException("A store in ZooKeeper needs a url");
        }
        List<ACL> usual = url.credentials() == null ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
        return new ZookeeperBackend(
                new Clients(url.servers(), timeout, url.credentials(), acl == null ? usual : acl),
                layout(root == null ? url.root() : root));
    }

    private Layout layout(String below) {
        String folder = mutexes;
        if (folder != null && ((folder + "/").startsWith(below + "/") || (below + "/").startsWith(folder + "/"))) {
            throw new IllegalStateException("The folder '" + folder + "' of the locks beside Curator and the root '"
                    + below + "' are one in the other; give the store another root");
        }
        return new Layout(below, folder);
    }
}
