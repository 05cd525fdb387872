package io.lockkeeper.line;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a {@link LeasedStore} knows of one resource, latches aside.
 *
 * @param lastToken the greatest token that the store has given
 * @param line grants, queue and tombstones; null if there are none
 * @param size the size of a semaphore; null if none is known
 * @param endings why its latest grants ended that were not released
 */
record Snapshot(
        long lastToken, @Nullable LineState line, @Nullable StoredSize size, List<Endings.Ending> endings) {}
