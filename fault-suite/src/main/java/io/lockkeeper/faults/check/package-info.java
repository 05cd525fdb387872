/** What must hold of a history. No clocks, no threads, no files. */
@NullMarked
package io.lockkeeper.faults.check;

import org.jspecify.annotations.NullMarked;
