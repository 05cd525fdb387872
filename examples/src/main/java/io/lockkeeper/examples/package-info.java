/** Compiled usage snippets. */
@NullMarked
package io.lockkeeper.examples;

import org.jspecify.annotations.NullMarked;
