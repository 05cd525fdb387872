package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The health of one keeper: one cheap request to the store, how long it took, and how many holds are uncertain.
 *
 * @param failure why the store did not answer; null if it did
 * @param details what people see
 */
public record StoreCheck(@Nullable RuntimeException failure, Map<String, Object> details) {

    /** A lock that nobody takes, to be inspected. */
    private static final String PROBE = "lockkeeper/health";

    static StoreCheck of(Lockkeeper keeper, @Nullable KeeperWatch watch) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("keeper", keeper.toString());
        RuntimeException failure = null;
        long begun = System.nanoTime();
        try {
            keeper.inspect(PROBE);
            details.put("state", StoreState.REACHABLE);
            details.put(
                    "roundTripMicros",
                    Duration.ofNanos(System.nanoTime() - begun).toNanos() / 1000);
        } catch (LockkeeperException silent) {
            failure = silent;
            details.put("state", keeper.storeState());
        }
        if (watch != null) {
            details.put("held", watch.held().size());
            details.put("waiting", watch.waiting().size());
            details.put("uncertain", watch.uncertain());
        }
        return new StoreCheck(failure, details);
    }
}
