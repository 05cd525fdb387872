package io.lockkeeper.memory;

import static io.lockkeeper.spi.Arguments.given;

import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.line.TokenPolicy;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of this JVM, with all that a store can have. Keepers that open the same backend, or backends of the
 * same {@linkplain #named name}, exclude each other; no other JVM takes part. Good for unit tests, and for
 * applications that run in one process today.
 *
 * <p>Leases are counted by the monotonic clock. Tokens are 1, 2, 3 … and start anew with each store.
 */
public final class MemoryBackend implements Backend {

    private static final Map<String, MemoryBackend> NAMED = new ConcurrentHashMap<>();

    private final String url;
    private final Clocks clocks;
    private final MemoryFaults faults = new MemoryFaults(this);
    private final Map<String, Keeper> keepers = new ConcurrentHashMap<>();
    /** Every step is short, so one lock for all names is enough. Keepers are signalled after it is free again. */
    private final ReentrantLock lock = new ReentrantLock();

    private final LeasedStore store =
            new LeasedStore(UUID.randomUUID().toString().replace("-", ""), TokenPolicy.COUNTER);

    /** When it was made to forget everything; null if never. Guarded by the lock. */
    private @Nullable Long restartedAt;

    private MemoryBackend(String url, Clocks clocks) {
        this.url = url;
        this.clocks = clocks;
    }

    /** A store of its own. */
    public static MemoryBackend create() {
        return create(Clocks.system());
    }

    /** A store of its own that counts leases by the given clocks, such as a clock that a test moves. */
    public static MemoryBackend create(Clocks clocks) {
        given(clocks, "clocks");
        return new MemoryBackend("memory:", clocks);
    }

    /** The one store of that name in this JVM. It lives as long as the JVM, closing it changes nothing. */
    public static MemoryBackend named(String name) {
        given(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("The name of a memory store is empty; give one, such as 'orders'");
        }
        return NAMED.computeIfAbsent(name, n -> new MemoryBackend("memory:" + n, Clocks.system()));
    }

    @Override
    public String describe() {
        return url;
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public Store open(Keeper keeper) {
        faults.failIfUnreachable();
        keepers.put(keeper.id(), keeper);
        return new MemoryStore(this, keeper.id());
    }

    /** For tests: ways to make this store misbehave. */
    public MemoryFaults faults() {
        return faults;
    }

    /** How many names the store knows something of; 0 when nothing is held or waited for. For tests. */
    public int names() {
        return call((leased, now) -> leased.names());
    }

    @Override
    public void close() {
        // Nothing is held outside of the heap.
    }

    /** A step of the store's state machine. */
    interface Step<T> {
        T on(LeasedStore store, long now);
    }

    /** A keeper's request: one step, subject to the faults. */
    <T> T request(Step<T> step) {
        faults.failIfUnreachable();
        T answer = call(step);
        faults.failIfReplyIsLost();
        return answer;
    }

    <T> T call(Step<T> step) {
        T answer;
        List<LeasedStore.Signal> signals;
        lock.lock();
        try {
            answer = step.on(store, clocks.now().mono());
            signals = store.drainSignals();
        } finally {
            lock.unlock();
        }
        if (!signals.isEmpty() && !faults.dropsSignals()) {
            for (LeasedStore.Signal signal : signals) {
                Keeper keeper = keepers.get(signal.keeperId());
                if (keeper != null) {
                    signal.tell(keeper);
                }
            }
        }
        return answer;
    }

    /** Nobody was granted anything by this store before it was made, so only a simulated restart counts. */
    Duration uptime(long now) {
        return restartedAt == null ? Answer.FOREVER : Duration.ofNanos(now - restartedAt);
    }

    void restartEmpty() {
        call((leased, now) -> {
            leased.loseEverything();
            restartedAt = now;
            return true;
        });
    }

    String storeId() {
        return store.storeId();
    }

    void forget(String keeperId) {
        keepers.remove(keeperId);
    }
}
