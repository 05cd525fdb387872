package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceState;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@code /actuator/locks}: what the keepers of this instance hold and wait for, and with {@code ?store=true} what their stores
 * know, of all processes. The second asks the store for all names, which costs it something.
 */
@Endpoint(id = "locks")
public final class LocksEndpoint {

    private final Map<String, Lockkeeper> keepers;
    private final KeeperWatches watches;

    LocksEndpoint(Map<String, Lockkeeper> keepers, KeeperWatches watches) {
        this.keepers = keepers;
        this.watches = watches;
    }

    /**
     * Reads.
     *
     * @param store whether to ask the stores too
     */
    @ReadOperation
    @SuppressWarnings(
            "deprecation") // The one annotation by which all lines of Spring Boot see that it may be left out.
    public Map<String, Object> locks(@org.springframework.lang.Nullable Boolean store) {
        Map<String, Object> all = new TreeMap<>();
        keepers.forEach((name, keeper) -> all.put(name, report(name, keeper, Boolean.TRUE.equals(store))));
        return Map.of("keepers", all);
    }

    private Map<String, Object> report(String name, Lockkeeper keeper, boolean store) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("keeper", keeper.toString());
        report.put("storeState", keeper.storeState());
        KeeperWatch watch = watches.of(name);
        if (watch != null) {
            Instant now = Instant.now();
            report.put(
                    "held", watch.held().stream().map(entry -> own(entry, now)).toList());
            report.put(
                    "waiting",
                    watch.waiting().stream().map(entry -> own(entry, now)).toList());
        }
        if (store) {
            report.put("store", stored(keeper));
        }
        return report;
    }

    private static Map<String, Object> own(KeeperWatch.Entry entry, Instant now) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", entry.resource().name());
        shown.put("family", entry.resource().family().key());
        shown.put("shared", entry.shared());
        shown.put("since", entry.since().toString());
        shown.put("forMillis", Duration.between(entry.since(), now).toMillis());
        shown.put("thread", entry.thread());
        if (entry.place() != null) {
            shown.put("acquiredAt", entry.place());
        }
        if (entry.stage().isHeld()) {
            shown.put("token", String.valueOf(entry.token()));
            shown.put("uncertain", entry.stage() == KeeperWatch.Stage.UNCERTAIN);
        }
        return shown;
    }

    private static Object stored(Lockkeeper keeper) {
        try {
            return keeper.list("").stream().map(LocksEndpoint::stored).toList();
        } catch (LockkeeperException unknown) {
            return Map.of("error", String.valueOf(unknown.getMessage()));
        }
    }

    private static Map<String, Object> stored(ResourceState state) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", state.resource().name());
        shown.put("family", state.resource().family().key());
        shown.put("waiting", state.waiting());
        shown.put("grants", state.grants().stream().map(LocksEndpoint::granted).toList());
        return shown;
    }

    private static Map<String, Object> granted(ResourceState.Grant grant) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("holder", grant.holder().toString());
        shown.put("token", String.valueOf(grant.token()));
        shown.put("shared", grant.shared());
        if (grant.permits() > 0) {
            shown.put("permits", grant.permits());
        }
        shown.put("remainingMillis", grant.remaining().toMillis());
        return shown;
    }
}
