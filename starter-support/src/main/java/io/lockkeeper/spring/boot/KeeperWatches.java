package io.lockkeeper.spring.boot;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The watches of the keepers that the starter opened, by the names of their beans. */
final class KeeperWatches {

    private final Map<String, KeeperWatch> watches = new ConcurrentHashMap<>();

    /** The watch of a keeper that is about to be opened. */
    KeeperWatch begin(String keeper) {
        return watches.computeIfAbsent(keeper, name -> new KeeperWatch(Clock.systemUTC()));
    }

    /** The watch of a keeper; null if the application opened the keeper by itself. */
    @Nullable
    KeeperWatch of(String keeper) {
        return watches.get(keeper);
    }
}
