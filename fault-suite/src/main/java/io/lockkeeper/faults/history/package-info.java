/** What the processes of a run wrote down, and the history that it adds up to. */
@NullMarked
package io.lockkeeper.faults.history;

import org.jspecify.annotations.NullMarked;
