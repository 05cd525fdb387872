/**
 * The rules of the line: what a store with leases and a queue does, as a state machine without threads, I/O or clocks.
 * Queue, sharing, permits, sticky grants, tombstones, tokens and latches are written here once, for every store that keeps
 * its state where Java decides: the memory store keeps objects of this package, a SQL store keeps a
 * {@linkplain io.lockkeeper.line.LineFormat text} in a row.
 *
 * <p>Internal: the package is exported to the modules of Lockkeeper only.
 */
@NullMarked
package io.lockkeeper.line;

import org.jspecify.annotations.NullMarked;
