/**
 * Redlock: a backend made of several independent backends, which grants what a majority of them grants.
 *
 * <p>{@link io.lockkeeper.quorum.Quorum} is for users. The rounds ({@link io.lockkeeper.quorum.AttemptRound},
 * {@link io.lockkeeper.quorum.RenewRound}, {@link io.lockkeeper.quorum.ReleaseRound} and what they speak) are the algorithm
 * without threads, I/O or clocks. They are internal, and public only so that the simulator can drive them.
 */
@NullMarked
package io.lockkeeper.quorum;

import org.jspecify.annotations.NullMarked;
