package io.lockkeeper.shell;

import io.lockkeeper.MultiLock;
import io.lockkeeper.OwnedLock;
import io.lockkeeper.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes multi-locks. */
public final class MultiLocks {

    private MultiLocks() {}

    /** Several locks as one; see {@link MultiLock#of}. */
    public static MultiLock of(List<? extends OwnedLock<?, ?>> locks) {
        if (locks.isEmpty()) {
            throw new IllegalArgumentException("A multi-lock needs at least one lock but got none; name one or more");
        }
        List<LiveLock<?, ?>> ours = new ArrayList<>(locks.size());
        record Known(KeeperCore core, Resource resource) {}
        Set<Known> known = new HashSet<>();
        for (OwnedLock<?, ?> lock : locks) {
            if (!(lock instanceof LiveLock<?, ?> own)) {
                throw new IllegalArgumentException(
                        lock + " is not a lock of a Lockkeeper; make it with keeper.lock(name)");
            }
            if (!known.add(new Known(own.core, own.order.resource()))) {
                throw new IllegalArgumentException(own.order.resource()
                        + " is named twice in a multi-lock, which would wait for itself; name it once");
            }
            ours.add(own);
        }
        return new LiveMultiLock(ours);
    }
}
