package io.lockkeeper.shell;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.Acquirable;
import io.lockkeeper.Family;
import io.lockkeeper.MultiHold;
import io.lockkeeper.Overdue;
import io.lockkeeper.Resource;
import io.lockkeeper.SegmentHold;
import io.lockkeeper.SegmentedLock;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Mode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** A lock in segments, each a resource of its own. */
final class LiveSegmentedLock implements SegmentedLock {

    private static final int MOST = 100_000;

    private final KeeperCore core;
    private final String name;
    private final int segments;
    /** What every segment is acquired with; the segment's own resource takes the place of its resource. */
    private final AcquireOptions options;

    LiveSegmentedLock(KeeperCore core, String name, int segments, Duration lease) {
        this(core, segments, AcquireOptions.of(new Resource(Family.segment(0), name), Mode.EXCLUSIVE, lease, false));
    }

    private LiveSegmentedLock(KeeperCore core, int segments, AcquireOptions options) {
        if (segments < 1 || segments > MOST) {
            throw new IllegalArgumentException(
                    "A segmented lock of " + segments + " segments is not possible; use 1 to 100,000");
        }
        this.core = core;
        this.name = options.resource().name();
        this.segments = segments;
        this.options = options;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int segments() {
        return segments;
    }

    private AcquireOptions order(int index) {
        return options.of(new Resource(Family.segment(index), name));
    }

    Segment at(int index) {
        return new Segment(core, order(index), index);
    }

    @Override
    public Acquirable<SegmentHold> segment(int index) {
        if (index < 0 || index >= segments) {
            throw new IllegalArgumentException(
                    "There is no segment " + index + " of '" + name + "'; use 0 to " + (segments - 1));
        }
        return at(index);
    }

    @Override
    public Acquirable<SegmentHold> forKey(String key) {
        given(key, "key");
        CRC32 sum = new CRC32();
        sum.update(key.getBytes(StandardCharsets.UTF_8));
        return at((int) (sum.getValue() % segments));
    }

    @Override
    public SegmentHold acquire() throws InterruptedException {
        SegmentHold hold = any(Long.MAX_VALUE);
        if (hold == null) {
            throw new IllegalStateException("an endless wait ended");
        }
        return hold;
    }

    @Override
    public @Nullable SegmentHold tryAcquire() {
        int start = ThreadLocalRandom.current().nextInt(segments);
        for (int i = 0; i < segments; i++) {
            SegmentHold hold = at((start + i) % segments).tryAcquire();
            if (hold != null) {
                return hold;
            }
        }
        return null;
    }

    @Override
    public @Nullable SegmentHold tryAcquire(Duration wait) throws InterruptedException {
        SegmentHold hold = any(Timeouts.nanos(wait));
        if (hold == null) {
            TimeoutReport.log(this, parts(), wait);
        }
        return hold;
    }

    @Override
    public SegmentHold acquire(Duration wait) throws InterruptedException {
        SegmentHold hold = any(Timeouts.nanos(wait));
        if (hold == null) {
            throw TimeoutReport.exception(this, parts(), wait);
        }
        return hold;
    }

    private List<TimeoutReport.Part> parts() {
        List<TimeoutReport.Part> parts = new ArrayList<>(segments);
        for (int i = 0; i < segments; i++) {
            parts.add(new TimeoutReport.Part(core, order(i).resource(), "segment " + i));
        }
        return parts;
    }

    /** Tries on the caller's own thread first; a caller that has to wait queues for one segment and tries the others meanwhile. */
    private @Nullable SegmentHold any(long timeout) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        SegmentHold free = null;
        try {
            free = tryAcquire();
        } catch (StoreUnavailableException silent) {
            if (timeout == 0) {
                throw silent;
            }
            // A caller that waits tries again.
        }
        return free != null || timeout == 0 ? free : Futures.get(new AnySegment(core, this, timeout).start());
    }

    @Override
    @SuppressWarnings({"NullAway", "unchecked"}) // An endless wait never ends with null.
    public CompletableFuture<SegmentHold> acquireAsync() {
        return (CompletableFuture<SegmentHold>) (CompletableFuture<?>) anyAsync(Long.MAX_VALUE);
    }

    @Override
    public CompletableFuture<@Nullable SegmentHold> tryAcquireAsync() {
        return AsyncRequests.call(core, this::tryAcquire);
    }

    @Override
    public CompletableFuture<@Nullable SegmentHold> tryAcquireAsync(Duration wait) {
        long timeout = Timeouts.nanos(wait);
        return timeout == 0 ? tryAcquireAsync() : anyAsync(timeout);
    }

    private CompletableFuture<@Nullable SegmentHold> anyAsync(long timeout) {
        return new AnySegment(core, this, timeout).start();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> callAsync(
            Function<? super SegmentHold, ? extends CompletionStage<T>> body) {
        given(body, "body");
        return AsyncBody.call(core.workers().callbacks(), acquireAsync(), body);
    }

    private LiveMultiLock all() {
        List<LiveLock<?, ?>> locks = new ArrayList<>(segments);
        for (int i = 0; i < segments; i++) {
            locks.add(new WriteLock(core, order(i), null));
        }
        return new LiveMultiLock(locks);
    }

    @Override
    public MultiHold acquireAll() throws InterruptedException {
        return all().acquire();
    }

    @Override
    public @Nullable MultiHold tryAcquireAll(Duration wait) throws InterruptedException {
        return all().tryAcquire(wait);
    }

    @Override
    public CompletableFuture<MultiHold> acquireAllAsync() {
        return all().acquireAsync();
    }

    @Override
    public SegmentedLock withLease(Duration lease) {
        return new LiveSegmentedLock(core, segments, options.withLease(lease, core.backend()));
    }

    @Override
    public SegmentedLock withFixedLease(Duration lease) {
        return new LiveSegmentedLock(core, segments, options.withFixedLease(lease, core.backend()));
    }

    @Override
    public SegmentedLock withMaxHold(Duration longest, Overdue whenOverdue) {
        return new LiveSegmentedLock(core, segments, options.withMaxHold(longest, whenOverdue));
    }

    @Override
    public SegmentedLock giveUpAfter(Duration silence) {
        return new LiveSegmentedLock(core, segments, options.giveUpAfter(silence));
    }

    @Override
    public String toString() {
        return "segmented lock '" + name + "' of " + segments;
    }
}
