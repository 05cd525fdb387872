package io.lockkeeper.zookeeper;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * Latches. A latch is a container that names the generation that stands; a generation is a node in it, whose data is its target, with
 * a node for each operation that counted it down:
 *
 * <pre>
 * latches/a3f/latch.ready                  OPERATION of the set that stands, or nothing
 * latches/a3f/latch.ready/OPERATION        target
 * latches/a3f/latch.ready/OPERATION/DOWN   (one for each count)
 * </pre>
 *
 * <p><b>Invariants.</b> The count is the target less the number of <em>different</em> operations, each a node of its own name, so an
 * operation that is sent again counts once. A generation is the transaction that made its node, so it is never used twice, whatever
 * was deleted in between. A new one begins by the version of the container's data: of two that are set at once, one stands.
 *
 * <p>The count that gets to zero is followed by a write to the container, which wakes its watchers. Were each count to wake
 * them, a latch of n would send n messages to every waiter.
 */
final class ZookeeperLatches implements LatchStore {

    private record Head(String standing, int version, long generation, int target, int counted) {

        int count() {
            return Math.max(0, target - counted);
        }
    }

    private final Sessions sessions;
    private final Layout layout;
    private final Keeper keeper;

    ZookeeperLatches(Sessions sessions, Layout layout, Keeper keeper) {
        this.sessions = sessions;
        this.layout = layout;
        this.keeper = keeper;
    }

    @Override
    public State state(Resource latch, boolean wake) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        return sessions.read(until, in -> {
            Head head = read(in, latch, wake ? watcher(latch) : null, until);
            return head == null ? new State(0, 0) : new State(head.generation, head.count());
        });
    }

    private Watcher watcher(Resource latch) {
        return event -> {
            if (event.getType() != Watcher.Event.EventType.None) {
                keeper.signal(latch);
            }
        };
    }

    /** What the latch says; null if there is none. */
    private @Nullable Head read(LiveSession in, Resource latch, @Nullable Watcher watcher, Deadline until) {
        String path = layout.latch(latch);
        for (int i = 0; i < ZookeeperPolicy.LOOKS; i++) {
            Wire.Node node = Wire.ifThere(in.wire.read(path, watcher), until);
            if (node == null) {
                return null;
            }
            String standing = node.text();
            if (standing.isEmpty()) {
                return new Head("", node.stat().getVersion(), 0, 0, 0);
            }
            Wire.Node generation = Wire.ifThere(in.wire.read(path + "/" + standing, null), until);
            if (generation != null) {
                return new Head(
                        standing,
                        node.stat().getVersion(),
                        generation.stat().getCzxid(),
                        Integer.parseInt(generation.text()),
                        generation.stat().getNumChildren());
            }
        }
        throw new StoreUnavailableException("The " + latch + " changes again and again");
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "The " + latch + " cannot count down from " + count + "; give it at least 1");
        }
        Deadline until = Deadline.in(keeper.commandTimeout());
        LiveSession in = sessions.current(until);
        in.catchUp();
        String path = layout.latch(latch);
        while (until.left() > 0) {
            Head head = read(in, latch, null, until);
            if (head == null) {
                Roots.ensure(in.wire, path, CreateMode.CONTAINER, until);
                continue;
            }
            if (head.standing.equals(operation) || head.count() > 0) {
                return head.standing.equals(operation);
            }
            try {
                Wire.await(
                        in.wire.multi(
                                Wire.writing(path, operation, head.version),
                                in.wire.creation(
                                        path + "/" + operation, Integer.toString(count), CreateMode.PERSISTENT)),
                        until);
                remove(in, path, head.standing);
                return true;
            } catch (KeeperException.BadVersionException | KeeperException.NoNodeException changed) {
                // Another one was faster, or the container was removed: it is read again.
            } catch (KeeperException.NodeExistsException before) {
                return false;
            } catch (KeeperException failure) {
                throw Wire.failed(failure);
            }
        }
        throw new StoreUnavailableException("ZooKeeper did not answer in time");
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        LiveSession in = sessions.current(until);
        in.catchUp();
        Head head = read(in, latch, null, until);
        if (head == null || head.generation != generation) {
            return false;
        }
        if (head.count() == 0) {
            return true;
        }
        String path = layout.latch(latch);
        if (!Roots.make(in.wire, path + "/" + head.standing + "/" + operation, "", CreateMode.PERSISTENT, until)) {
            return false;
        }
        Head after = read(in, latch, null, until);
        if (after != null && after.generation == generation && after.count() == 0) {
            // Only a hint; if another generation stands meanwhile, its own beginning was the wake-up.
            in.wire.write(path, after.standing, after.version);
        }
        return true;
    }

    @Override
    public void delete(Resource latch, long generation) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        LiveSession in = sessions.current(until);
        in.catchUp();
        String path = layout.latch(latch);
        while (until.left() > 0) {
            Head head = read(in, latch, null, until);
            if (head == null || head.standing.isEmpty() || head.generation != generation) {
                return;
            }
            try {
                Wire.await(in.wire.write(path, "", head.version), until);
                remove(in, path, head.standing);
                return;
            } catch (KeeperException.BadVersionException | KeeperException.NoNodeException changed) {
                // It is read again.
            } catch (KeeperException failure) {
                throw Wire.failed(failure);
            }
        }
        throw new StoreUnavailableException("ZooKeeper did not answer in time");
    }

    /** Removes a generation that does not stand any more, in the background: nothing depends on it. */
    private static void remove(LiveSession in, String path, String generation) {
        if (generation.isEmpty()) {
            return;
        }
        String ended = path + "/" + generation;
        in.wire.children(ended, null).thenAccept((List<String> operations) -> {
            for (String operation : operations) {
                in.wire.delete(ended + "/" + operation, -1);
            }
            in.wire.delete(ended, -1);
        });
    }
}
