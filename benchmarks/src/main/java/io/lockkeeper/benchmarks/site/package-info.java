/** The stores that they use. */
@NullMarked
package io.lockkeeper.benchmarks.site;

import org.jspecify.annotations.NullMarked;
