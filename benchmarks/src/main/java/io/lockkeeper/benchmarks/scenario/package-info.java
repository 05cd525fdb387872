/** What is measured. */
@NullMarked
package io.lockkeeper.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
