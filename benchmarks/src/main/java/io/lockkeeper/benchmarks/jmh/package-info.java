/** Single operations of one thread, measured by JMH. */
@NullMarked
package io.lockkeeper.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
