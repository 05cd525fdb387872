/**
 * What a store must answer so that locks can be built on it. A backend is one small algorithm: it grants claims, frees
 * them, renews them and says what is there. Waiting, nesting, renewal in time, loss and hand-off are the engine's.
 */
@NullMarked
package io.lockkeeper.spi;

import org.jspecify.annotations.NullMarked;
