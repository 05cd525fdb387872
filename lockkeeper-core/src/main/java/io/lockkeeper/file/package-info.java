/** Locks between the processes of one machine, in a folder: no server, and what a process held is free when it ends. */
@NullMarked
package io.lockkeeper.file;

import org.jspecify.annotations.NullMarked;
