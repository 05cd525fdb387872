/** Drivers of databases that are named on the command line. */
@NullMarked
package io.lockkeeper.cli.driver;

import org.jspecify.annotations.NullMarked;
