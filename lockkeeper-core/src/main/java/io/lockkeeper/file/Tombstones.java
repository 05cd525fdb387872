package io.lockkeeper.file;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims that were released while a request of theirs may still be under way. It can only be under way in this process, on
 * one of the {@link FileThreads}, so they need not be written anywhere.
 */
final class Tombstones {

    private final Map<String, Long> until = new ConcurrentHashMap<>();

    void bury(String claim, long untilThen, long now) {
        until.values().removeIf(over -> over - now <= 0);
        until.merge(claim, untilThen, Math::max);
    }

    boolean covers(String claim, long now) {
        Long over = until.get(claim);
        return over != null && over - now > 0;
    }
}
