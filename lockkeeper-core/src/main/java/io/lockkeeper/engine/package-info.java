/**
 * What a keeper knows and decides, without doing anything itself: no I/O, no thread, no clock, no lock. Everything that
 * happens is told to it as a call with the moment it happened; what is to be done comes back as {@link Step}s and
 * {@link Effects}. Callers must serialise calls to one object: the shell does so with a lock, the simulator by having one
 * thread.
 *
 * <p>Not exported: this is no API.
 */
@NullMarked
package io.lockkeeper.engine;

import org.jspecify.annotations.NullMarked;
