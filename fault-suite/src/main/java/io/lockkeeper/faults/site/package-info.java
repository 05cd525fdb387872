/** The stores that are put through it, each with the faults of its own. */
@NullMarked
package io.lockkeeper.faults.site;

import org.jspecify.annotations.NullMarked;
