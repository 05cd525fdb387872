package io.lockkeeper;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.shell.MultiLocks;
import java.time.Duration;
import java.util.List;

/**
 * Several locks acquired together, all or none, within one time limit. They are taken in an order that is the same in
 * every process (name, then family, then the store's own id), so overlapping sets can not deadlock.
 */
public interface MultiLock extends Acquirable<MultiHold> {

    /**
     * Several locks as one, also of several keepers.
     *
     * @throws IllegalArgumentException if there are none, or the same resource stands there twice
     */
    static MultiLock of(DistributedLock... locks) {
        given(locks, "locks");
        return MultiLocks.of(List.of(locks));
    }

    /** A view whose locks have this lease, renewed until released. */
    MultiLock withLease(Duration lease);
}
