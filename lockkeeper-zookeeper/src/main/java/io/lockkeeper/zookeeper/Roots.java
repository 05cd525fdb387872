package io.lockkeeper.zookeeper;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/** The nodes that have to be there before anything else: made when they are missing. */
final class Roots {

    private Roots() {}

    /**
     * Makes the root and the folders in it, and checks that this code can read them.
     *
     * @throws IllegalStateException if a newer version made them
     */
    static void prepare(Wire wire, Layout layout, Deadline until) {
        Wire.Node format = Wire.ifThere(wire.read(layout.format(), null), until);
        if (format == null) {
            for (String folder : new String[] {layout.keepers(), layout.queues(), layout.sizes(), layout.latches()}) {
                ensure(wire, folder, CreateMode.PERSISTENT, until);
            }
            make(wire, layout.format(), Integer.toString(Layout.FORMAT), CreateMode.PERSISTENT, until);
            format = Wire.answer(wire.read(layout.format(), null), until);
        }
        String text = format.text();
        if (!text.equals(Integer.toString(Layout.FORMAT))) {
            throw new IllegalStateException("The node " + layout.format() + " says version '" + text
                    + "', and this is version " + Layout.FORMAT + "; use a newer Lockkeeper or another root");
        }
    }

    /** Makes a node and those above it. */
    static void ensure(Wire wire, String path, CreateMode mode, Deadline until) {
        while (!make(wire, path, "", mode, until)) {
            ensure(wire, Layout.parent(path), CreateMode.PERSISTENT, until);
        }
    }

    /** Whether the node is there now; false if the one above it is missing. */
    static boolean make(Wire wire, String path, String text, CreateMode mode, Deadline until) {
        try {
            Wire.await(wire.create(path, text, mode), until);
            return true;
        } catch (KeeperException.NodeExistsException there) {
            return true;
        } catch (KeeperException.NoNodeException missing) {
            return false;
        } catch (KeeperException failure) {
            throw Wire.failed(failure);
        }
    }
}
