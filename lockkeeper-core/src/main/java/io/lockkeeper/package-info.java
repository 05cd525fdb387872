/**
 * The API: distributed locks, semaphores, latches and elections over one of several stores. {@link io.lockkeeper.Lockkeeper} is
 * the entry point.
 */
@NullMarked
package io.lockkeeper;

import org.jspecify.annotations.NullMarked;
