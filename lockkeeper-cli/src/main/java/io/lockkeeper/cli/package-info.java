/** The {@code lockkeeper} command: its options, its exit codes, and what it prints. */
@NullMarked
package io.lockkeeper.cli;

import org.jspecify.annotations.NullMarked;
