/** The shell around the engine: threads, parking, requests to the store, and the objects that people hold. */
@NullMarked
package io.lockkeeper.shell;

import org.jspecify.annotations.NullMarked;
