package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import java.util.LinkedHashMap;
import java.util.Map;

/** The health of all keepers of an application. */
public final class StoreChecks {

    private final Map<String, Lockkeeper> keepers;
    private final KeeperWatches watches;

    StoreChecks(Map<String, Lockkeeper> keepers, KeeperWatches watches) {
        this.keepers = keepers;
        this.watches = watches;
    }

    /** Checks each keeper now, by the names of their beans. */
    public Map<String, StoreCheck> check() {
        Map<String, StoreCheck> checks = new LinkedHashMap<>();
        keepers.forEach((name, keeper) -> checks.put(name, StoreCheck.of(keeper, watches.of(name))));
        return checks;
    }
}
