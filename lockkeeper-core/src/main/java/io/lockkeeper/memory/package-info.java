/** A store in the memory of one JVM: the reference semantics of a leased store, and what unit tests use. */
@NullMarked
package io.lockkeeper.memory;

import org.jspecify.annotations.NullMarked;
