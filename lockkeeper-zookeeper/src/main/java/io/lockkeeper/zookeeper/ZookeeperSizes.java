package io.lockkeeper.zookeeper;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.SemaphoreSize;
import io.lockkeeper.spi.SizeStore;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of semaphores, each in a node of its own beside the folder of the claims, which the server removes when it is empty.
 *
 * <p><b>Invariant.</b> A size changes by its version only, so of two changes at once each is counted: written without the version, the
 * later one would undo the earlier.
 */
final class ZookeeperSizes implements SizeStore {

    /**
     * What a claim for permits finds.
     *
     * @param size how many there are; 0 if there is no number
     * @param refusal why the claim is refused; null if it is not
     */
    record Use(int size, Answer.@Nullable Refused refusal) {}

    /** A size and the version of its node; −1 if there is no node. */
    private record Read(SemaphoreSize size, int version) {}

    private final Sessions sessions;
    private final Layout layout;
    private final Keeper keeper;

    ZookeeperSizes(Sessions sessions, Layout layout, Keeper keeper) {
        this.sessions = sessions;
        this.layout = layout;
        this.keeper = keeper;
    }

    /** The size that decides about a claim; the first claim that names one gives it. A claim that waits watches it. */
    Use use(LiveSession in, Resource semaphore, Mode.Permits wanted, @Nullable OwnNode waiting, Deadline until) {
        while (true) {
            Read read = read(in, semaphore, waiting, until);
            SemaphoreSize known = read.size;
            if (!known.accepts(wanted.of())) {
                return new Use(
                        known.permits(),
                        refused("The " + semaphore + " has " + known.permits() + " permits in the store, not "
                                + wanted.of() + "; use that number or change it with resize"));
            }
            if (wanted.of() > 0 && wanted.count() > wanted.of()) {
                return new Use(
                        known.permits(),
                        refused("The " + semaphore + " has " + wanted.of() + " permits, so " + wanted.count()
                                + " at once can never be had; ask for fewer or resize it"));
            }
            SemaphoreSize used = known.usedWith(wanted.of());
            if (used.equals(known) || write(in, semaphore, read, used, until)) {
                return new Use(used.permits(), null);
            }
        }
    }

    private static Answer.Refused refused(String message) {
        return new Answer.Refused(Answer.Cause.FINAL, message);
    }

    int size(LiveSession in, Resource semaphore, Deadline until) {
        return read(in, semaphore, null, until).size.permits();
    }

    private Read read(LiveSession in, Resource semaphore, @Nullable OwnNode waiting, Deadline until) {
        Wire.Node node =
                Wire.ifThere(in.wire.read(layout.size(semaphore), waiting == null ? null : waiting.watcher), until);
        if (node == null || node.text().isEmpty()) {
            return new Read(SemaphoreSize.NONE, node == null ? -1 : node.stat().getVersion());
        }
        String[] words = node.text().split(" ");
        List<String> operations = Arrays.asList(words).subList(2, words.length);
        return new Read(
                new SemaphoreSize(Integer.parseInt(words[0]), words[1].equals("set"), operations),
                node.stat().getVersion());
    }

    /** Whether it was written; false if another change came first. */
    private boolean write(LiveSession in, Resource semaphore, Read before, SemaphoreSize size, Deadline until) {
        String path = layout.size(semaphore);
        String text = size.permits() + " " + (size.set() ? "set" : "used")
                + size.operations().stream().map(operation -> " " + operation).reduce("", String::concat);
        try {
            if (before.version >= 0) {
                Wire.await(in.wire.write(path, text, before.version), until);
            } else {
                Wire.await(in.wire.create(path, text, CreateMode.PERSISTENT), until);
            }
            return true;
        } catch (KeeperException.BadVersionException | KeeperException.NodeExistsException changed) {
            return false;
        } catch (KeeperException.NoNodeException missing) {
            Roots.ensure(in.wire, Layout.parent(path), CreateMode.PERSISTENT, until);
            return false;
        } catch (KeeperException failure) {
            throw Wire.failed(failure);
        }
    }

    private SemaphoreSize change(Resource semaphore, UnaryOperator<SemaphoreSize> change) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        LiveSession in = sessions.current(until);
        in.catchUp();
        while (until.left() > 0) {
            Read read = read(in, semaphore, null, until);
            SemaphoreSize changed = change.apply(read.size);
            if (changed.equals(read.size) || write(in, semaphore, read, changed, until)) {
                return changed;
            }
        }
        throw new StoreUnavailableException("The size of the " + semaphore + " changes again and again");
    }

    void resize(Resource semaphore, int permits) {
        SemaphoreSize.check(semaphore, permits);
        change(semaphore, size -> size.resized(permits));
    }

    @Override
    public int size(Resource semaphore) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        return sessions.read(until, in -> size(in, semaphore, until));
    }

    @Override
    public boolean trySet(Resource semaphore, String operation, int permits) {
        SemaphoreSize.check(semaphore, permits);
        return change(semaphore, size -> size.trySet(operation, permits)).has(operation);
    }

    @Override
    public void set(Resource semaphore, int permits) {
        SemaphoreSize.check(semaphore, permits);
        change(semaphore, size -> size.set(permits));
    }

    @Override
    public int add(Resource semaphore, String operation, int change, int ifNone) {
        return change(semaphore, size -> size.add(semaphore, operation, change, ifNone))
                .permits();
    }

    @Override
    public void clear(Resource semaphore) {
        Deadline until = Deadline.in(keeper.commandTimeout());
        Wire.ifThere(sessions.current(until).wire.delete(layout.size(semaphore), -1), until);
    }
}
