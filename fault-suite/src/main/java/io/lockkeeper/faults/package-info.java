/** The fault suite: real processes on a real store, faults, and a table of what came of it. */
@NullMarked
package io.lockkeeper.faults;

import org.jspecify.annotations.NullMarked;
