/** The public interface of Lockkeeper. */
@NullMarked
package io.lockkeeper;

import org.jspecify.annotations.NullMarked;
