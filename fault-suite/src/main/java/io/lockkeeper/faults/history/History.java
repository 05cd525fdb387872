package io.lockkeeper.faults.history;

import java.time.Duration;
import java.util.List;

/**
 * All that is known of a run. Moments are those of the machine's monotonic clock, which its processes share.
 *
 * @param accesses in the order in which the registers saw them
 * @param stuck names that nobody could acquire after everything had healed and every client had ended
 */
public record History(
        Duration lease,
        List<String> names,
        List<Call> calls,
        List<Access> accesses,
        List<Incident> incidents,
        List<Life> lives,
        List<String> stuck) {

    public History {
        names = List.copyOf(names);
        calls = List.copyOf(calls);
        accesses = List.copyOf(accesses);
        incidents = List.copyOf(incidents);
        lives = List.copyOf(lives);
        stuck = List.copyOf(stuck);
    }
}
