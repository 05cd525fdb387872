package io.lockkeeper.faults.work;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.UnsupportedFeatureException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ways to have one and the same resource exclusively. Those of one name exclude each other. */
enum Way {
    PLAIN {
        @Override
        DistributedLock lock(Lockkeeper keeper, String name, Duration lease) {
            return keeper.lock(name);
        }
    },
    FAIR {
        @Override
        DistributedLock lock(Lockkeeper keeper, String name, Duration lease) {
            return keeper.fairLock(name);
        }
    },
    WRITE {
        @Override
        DistributedLock lock(Lockkeeper keeper, String name, Duration lease) {
            return keeper.readWriteLock(name).writeLock();
        }
    },
    FIXED {
        @Override
        DistributedLock lock(Lockkeeper keeper, String name, Duration lease) {
            return keeper.lock(name).withFixedLease(lease);
        }
    };

    abstract DistributedLock lock(Lockkeeper keeper, String name, Duration lease);

    /** Those that this store can do. */
    static List<Way> of(Lockkeeper keeper, Duration lease) {
        List<Way> ways = new ArrayList<>();
        for (Way way : values()) {
            try {
                way.lock(keeper, "probe", lease);
                ways.add(way);
            } catch (UnsupportedFeatureException e) {
                // The others are enough.
            }
        }
        return ways;
    }
}
