/** The run: starts the processes, does the faults that a seed says, and gathers the history. */
@NullMarked
package io.lockkeeper.faults.drive;

import org.jspecify.annotations.NullMarked;
