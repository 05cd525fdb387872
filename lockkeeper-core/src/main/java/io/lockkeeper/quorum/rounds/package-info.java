/**
 * The rounds of a quorum: the algorithm of {@link io.lockkeeper.quorum.Quorum} without threads, I/O or clocks. A
 * {@link io.lockkeeper.quorum.rounds.Round} says which member is sent which command, takes in the replies, and decides.
 *
 * <p>Internal: the package is exported to the modules of Lockkeeper only.
 */
@NullMarked
package io.lockkeeper.quorum.rounds;

import org.jspecify.annotations.NullMarked;
