package io.lockkeeper.shell;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.MultiLock;
import io.lockkeeper.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes multi-locks. */
public final class MultiLocks {

    private MultiLocks() {}

    /** Several locks as one; see {@link MultiLock#of}. */
    public static MultiLock of(List<DistributedLock> locks) {
        if (locks.isEmpty()) {
            throw new IllegalArgumentException("A multi-lock of no locks makes no sense; name one or more");
        }
        List<WriteLock> ours = new ArrayList<>(locks.size());
        record Known(KeeperCore core, Resource resource) {}
        Set<Known> known = new HashSet<>();
        for (DistributedLock lock : locks) {
            if (!(lock instanceof WriteLock own)) {
                throw new IllegalArgumentException(
                        lock + " is not a lock of a Lockkeeper; make it with keeper.lock(name)");
            }
            if (!known.add(new Known(own.core, own.order.resource()))) {
                throw new IllegalArgumentException(own.order.resource()
                        + " stands twice in a multi-lock, which would wait for itself; name it once");
            }
            ours.add(own);
        }
        return new LiveMultiLock(ours);
    }
}
