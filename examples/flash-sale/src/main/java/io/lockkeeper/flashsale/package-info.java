/** The flash sale in SQL: the same stock, sold in every way, by several processes, on good days and bad ones. */
@NullMarked
package io.lockkeeper.flashsale;

import org.jspecify.annotations.NullMarked;
