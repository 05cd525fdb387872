/** Lockkeeper beside its peers, measured in one run. */
@NullMarked
package io.lockkeeper.benchmarks;

import org.jspecify.annotations.NullMarked;
