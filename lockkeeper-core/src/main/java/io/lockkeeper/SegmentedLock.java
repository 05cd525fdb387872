package io.lockkeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One lock cut into segments, so that as many holders as there are segments work at once, each on its own part: a stock
 * of 1,000 items as 10 stocks of 100. The {@link Acquirable} forms take any free segment.
 */
public interface SegmentedLock extends Acquirable<SegmentHold>, Leased<SegmentedLock> {

    String name();

    /** How many segments there are; every process must name the same number. */
    int segments();

    /** The lock of one segment, from 0. */
    Acquirable<SegmentHold> segment(int index);

    /** The lock of the segment that this key belongs to; the same in every process. */
    Acquirable<SegmentHold> forKey(String key);

    /** Waits for all segments: then nobody else holds any of them. */
    MultiHold acquireAll() throws InterruptedException;

    @Nullable
    MultiHold tryAcquireAll(Duration wait) throws InterruptedException;

    CompletableFuture<MultiHold> acquireAllAsync();

    /** A view that gives up once the store has not answered for this long; see {@link OwnedLock#giveUpAfter}. */
    SegmentedLock giveUpAfter(Duration silence);
}
