/** The libraries that are compared, each behind the same small interface. */
@NullMarked
package io.lockkeeper.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
