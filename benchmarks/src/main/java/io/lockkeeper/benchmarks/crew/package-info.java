/** Processes that do what the scenarios ask for. */
@NullMarked
package io.lockkeeper.benchmarks.crew;

import org.jspecify.annotations.NullMarked;
