package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A lock divided into segments, so that as many holders as there are segments work at once, each on its own part: a stock of
 * 1,000 items as 10 stocks of 100. The {@link Acquirable} forms acquire any free segment.
 */
public interface SegmentedLock extends Acquirable<SegmentHold>, Leased<SegmentedLock> {

    /** The name of the lock. */
    String name();

    /** The number of segments; every process must use the same number. */
    int segments();

    /** The lock of one segment, counted from 0. */
    Acquirable<SegmentHold> segment(int index);

    /** The lock of the segment that this key belongs to, the same in every process. */
    Acquirable<SegmentHold> forKey(String key);

    /** Waits until all segments are acquired, so that nobody else holds any of them. */
    MultiHold acquireAll() throws InterruptedException;

    /**
     * Waits for at most this time until all segments are acquired.
     *
     * @return the holds, or null if the time ran out
     */
    @Nullable
    MultiHold tryAcquireAll(Duration wait) throws InterruptedException;

    /** Like {@link #acquireAll()} without blocking the caller. */
    CompletableFuture<MultiHold> acquireAllAsync();

    /** A view that gives up once the store has not answered for this long; see {@link OwnedLock#giveUpAfter}. */
    SegmentedLock giveUpAfter(Duration silence);
}
