package io.lockkeeper.zookeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Fencing;
import io.lockkeeper.StaleTokenException;
import io.lockkeeper.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * A guard for data in ZooKeeper. It stores, in a node of its own for each guarded thing, the greatest token that it admitted and the id
 * of that hold.
 *
 * <p><b>What it promises.</b> {@link #write} checks the token and makes the caller's changes in one {@code multi}: a holder that was
 * paused past its session cannot change what a later one changed, whatever its clock says. {@link #admit} only checks; a write
 * that follows it is a separate step, and a later holder may write in between.
 *
 * <p><b>What it does not promise.</b> What it remembers is a node like any other: it is lost if somebody deletes it. It stays until then.
 *
 * <p><b>Invariant.</b> The guard's node changes by its version only, and every {@code multi} names the version that was checked. Were it
 * written whatever its version, a stale holder that had read before its successor wrote would write after it.
 */
public final class ZookeeperFencing implements Fencing {

    /** The token and hold that were admitted last, and the version of the node that says so. */
    private record Seen(long token, String holdId, int version) {}

    private final ZooKeeper client;
    private final String folder;
    private final List<ACL> acl;

    private ZookeeperFencing(ZooKeeper client, String folder, List<ACL> acl) {
        this.client = client;
        this.folder = folder;
        this.acl = acl;
    }

    /**
     * A guard whose nodes are in a folder of the application's ZooKeeper; the folder is made if it is missing. The nodes are open to
     * all users, unless {@link #withAcl} says otherwise.
     *
     * @param client connected to the ensemble that has the data; the application closes it
     * @param folder such as {@code /shop/fences}
     * @throws IllegalArgumentException if it cannot be a folder
     */
    public static ZookeeperFencing in(ZooKeeper client, String folder) {
        return new ZookeeperFencing(
                given(client, "client"), ZookeeperUrl.root(given(folder, "folder")), ZooDefs.Ids.OPEN_ACL_UNSAFE);
    }

    /** The same guard, which makes its nodes for these users. */
    public ZookeeperFencing withAcl(List<ACL> acl) {
        return new ZookeeperFencing(client, folder, List.copyOf(given(acl, "acl")));
    }

    /**
     * Admits this hold, and from now on no earlier one.
     *
     * @throws StaleTokenException if a later hold was admitted before
     * @throws StoreUnavailableException if ZooKeeper did not answer; the call can be repeated
     */
    @Override
    public void admit(String what, ExclusiveHold hold) {
        try {
            write(what, hold);
        } catch (KeeperException failure) {
            throw Wire.failed(failure);
        }
    }

    /**
     * Makes changes if no later holder was admitted for that thing: all of them, in one step with the check, or none.
     *
     * @param what the data that is guarded, such as its path
     * @param changes as for {@link ZooKeeper#multi}
     * @throws StaleTokenException if a later hold was admitted before; nothing is changed then
     * @throws StoreUnavailableException if ZooKeeper did not answer: the changes may have been made
     * @throws KeeperException if ZooKeeper refuses one of the changes; nothing is changed then
     */
    public void write(String what, ExclusiveHold hold, Op... changes) throws KeeperException {
        given(what, "what");
        given(hold, "hold");
        String path = folder + "/" + PathText.encode(what);
        try {
            while (true) {
                Seen seen = seen(path);
                boolean same = seen.token == hold.token() && seen.holdId.equals(hold.id());
                if (!same && seen.token >= hold.token()) {
                    throw new StaleTokenException(what, hold.token(), seen.token);
                }
                List<Op> all = new ArrayList<>();
                all.add(same ? Op.check(path, seen.version) : admission(path, hold, seen));
                all.addAll(List.of(changes));
                if (run(all)) {
                    return;
                }
            }
        } catch (KeeperException.ConnectionLossException
                | KeeperException.SessionExpiredException
                | KeeperException.SessionMovedException
                | KeeperException.OperationTimeoutException lost) {
            throw Wire.failed(lost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted while waiting for ZooKeeper", e);
        }
    }

    /** Whether it was done; false if another hold was admitted meanwhile, or the folder is missing, so that the guard is read again. */
    private boolean run(List<Op> all) throws KeeperException, InterruptedException {
        try {
            client.multi(all);
            return true;
        } catch (KeeperException failure) {
            List<org.apache.zookeeper.OpResult> results = failure.getResults();
            boolean guard = results != null
                    && !results.isEmpty()
                    && results.get(0) instanceof org.apache.zookeeper.OpResult.ErrorResult first
                    && first.getErr() == failure.code().intValue();
            if (!guard) {
                throw failure;
            }
            switch (failure.code()) {
                case BADVERSION, NODEEXISTS -> client.sync(folder);
                case NONODE -> make(folder);
                default -> throw failure;
            }
            return false;
        }
    }

    private Op admission(String path, ExclusiveHold hold, Seen seen) {
        byte[] data = (hold.token() + " " + hold.id()).getBytes(StandardCharsets.UTF_8);
        return seen.version < 0
                ? Op.create(path, data, acl, CreateMode.PERSISTENT)
                : Op.setData(path, data, seen.version);
    }

    private Seen seen(String path) throws KeeperException, InterruptedException {
        try {
            Stat stat = new Stat();
            String[] words = new String(client.getData(path, false, stat), StandardCharsets.UTF_8).split(" ", 2);
            return new Seen(Long.parseLong(words[0]), words[1], stat.getVersion());
        } catch (KeeperException.NoNodeException none) {
            return new Seen(Long.MIN_VALUE, "", -1);
        } catch (NumberFormatException | IndexOutOfBoundsException notOurs) {
            throw new IllegalStateException(
                    "The node " + path + " is not one of a guard; give the guard a folder of its own", notOurs);
        }
    }

    private void make(String path) throws KeeperException, InterruptedException {
        if (path.isEmpty()) {
            return;
        }
        make(Layout.parent(path));
        try {
            client.create(path, new byte[0], acl, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException there) {
            // Made before, or by another one.
        }
    }
}
