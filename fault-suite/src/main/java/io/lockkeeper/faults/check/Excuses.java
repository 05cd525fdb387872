package io.lockkeeper.faults.check;

import io.lockkeeper.faults.history.History;
import io.lockkeeper.faults.history.Incident;
import java.util.List;

/**
 * When two may rightly believe to hold: after the store has forgotten a grant, until its holder has noticed, which it does by
 * its next renewal or by its deadline at the latest. Nothing else excuses it: a client that was stopped or cut off knows by
 * its own clocks that its time is over.
 */
final class Excuses {

    /** For a machine that is too busy to run its timers on time. */
    private static final long LENIENCE = 1_000_000_000L;

    private final List<Incident> losses;
    private final long after;

    Excuses(History history) {
        losses = history.incidents().stream().filter(Incident::losesGrants).toList();
        after = history.lease().toNanos() + LENIENCE;
    }

    boolean cover(long at) {
        return losses.stream().anyMatch(loss -> loss.begun() <= at && at <= loss.healed() + after);
    }
}
