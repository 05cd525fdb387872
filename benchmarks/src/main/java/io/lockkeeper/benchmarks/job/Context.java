package io.lockkeeper.benchmarks.job;

import io.lockkeeper.benchmarks.peer.Peer;

/**
 * Where a job runs.
 *
 * @param member the number of this process among those of the round
 */
public record Context(Peer peer, Slots slots, int member) {

    /** A number for a thread that no other thread of the scenario has. */
    int global(Order order, int thread) {
        return member * order.threads() + thread;
    }
}
