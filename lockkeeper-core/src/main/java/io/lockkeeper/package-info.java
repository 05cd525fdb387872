/** Locks and their kin, over whatever store a team runs. {@link io.lockkeeper.Lockkeeper} is the way in. */
@NullMarked
package io.lockkeeper;

import org.jspecify.annotations.NullMarked;
