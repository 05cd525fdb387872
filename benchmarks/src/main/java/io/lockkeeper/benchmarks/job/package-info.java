/** What the threads of a process do in a round. */
@NullMarked
package io.lockkeeper.benchmarks.job;

import org.jspecify.annotations.NullMarked;
