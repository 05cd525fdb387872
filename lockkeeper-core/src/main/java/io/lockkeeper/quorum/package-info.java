/**
 * Redlock: a backend made of several independent backends, which grants what a majority of them grants.
 * {@link io.lockkeeper.quorum.Quorum} is the entry point.
 */
@NullMarked
package io.lockkeeper.quorum;

import org.jspecify.annotations.NullMarked;
