/** How it is told. */
@NullMarked
package io.lockkeeper.benchmarks.report;

import org.jspecify.annotations.NullMarked;
