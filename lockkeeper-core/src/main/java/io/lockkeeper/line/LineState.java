package io.lockkeeper.line;

import java.util.List;
import java.util.Map;

/**
 * The content of a {@link Line}.
 *
 * @param grants the claims that hold, in the order of their grants
 * @param places the claims that wait, in the order of their arrival
 * @param tombstones until when each ended claim must not come back
 * @param newestToken the greatest token of a grant since the name is known
 * @param lastTold the claim in the queue that was signalled because it may have the resource alone; or empty
 */
record LineState(
        List<StoredGrant> grants,
        List<QueuePlace> places,
        Map<String, Long> tombstones,
        long newestToken,
        String lastTold) {}
