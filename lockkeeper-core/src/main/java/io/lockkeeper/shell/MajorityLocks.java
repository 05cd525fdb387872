package io.lockkeeper.shell;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.MajorityLock;
import io.lockkeeper.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes majority locks. */
public final class MajorityLocks {

    private static final int FEWEST = 3;

    private MajorityLocks() {}

    /** See {@link MajorityLock#of}. */
    public static MajorityLock of(List<DistributedLock> locks) {
        if (locks.size() < FEWEST) {
            throw new IllegalArgumentException("A majority of " + locks.size()
                    + (locks.size() == 1 ? " lock" : " locks") + " survives no failure; name 3 or more, best 3 or 5");
        }
        record Known(KeeperCore core, Resource resource) {}
        Set<Known> known = new HashSet<>();
        List<WriteLock> ours = new ArrayList<>();
        for (DistributedLock lock : locks) {
            if (!(lock instanceof WriteLock own)) {
                throw new IllegalArgumentException(
                        lock + " is not a lock of a Lockkeeper; make it with keeper.lock(name)");
            }
            if (!known.add(new Known(own.core, own.order.resource()))) {
                throw new IllegalArgumentException(own.order.resource()
                        + " stands twice in a majority lock, where it would have two votes; name it once");
            }
            ours.add(own);
        }
        return new LiveMajorityLock(ours);
    }
}
