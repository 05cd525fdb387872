/** Meters of a keeper, for Micrometer. */
@NullMarked
package io.lockkeeper.micrometer;

import org.jspecify.annotations.NullMarked;
