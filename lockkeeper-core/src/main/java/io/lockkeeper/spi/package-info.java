/**
 * The interface between keepers and stores, for authors of stores.
 *
 * <p>A store is one small algorithm: it grants claims ({@link io.lockkeeper.spi.Store}), releases them, renews them and says what
 * is there. Waiting, nesting, renewal in time, loss and hand-off are the engine's. What only some stores can do is a {@link
 * io.lockkeeper.spi.StoreAbility} each. The times on which both sides rely are in {@link
 * io.lockkeeper.spi.LeaseTimes}, {@link io.lockkeeper.spi.WaiterTimes} and {@link io.lockkeeper.spi.RetentionTimes}.
 */
@NullMarked
package io.lockkeeper.spi;

import org.jspecify.annotations.NullMarked;
