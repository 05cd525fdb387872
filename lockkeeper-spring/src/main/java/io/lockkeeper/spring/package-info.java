/** Locks by annotation for Spring applications: {@link io.lockkeeper.spring.Locked}, switched on by {@link
 * io.lockkeeper.spring.EnableLockkeeper}. */
@NullMarked
package io.lockkeeper.spring;

import org.jspecify.annotations.NullMarked;
