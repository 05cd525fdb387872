/** Running a command under a hold: its process group, the guardian that ends it, the signals it is sent. */
@NullMarked
package io.lockkeeper.cli.run;

import org.jspecify.annotations.NullMarked;
