/** The programs of a run: clients that lock and write, and the registers that they write to. */
@NullMarked
package io.lockkeeper.faults.work;

import org.jspecify.annotations.NullMarked;
