/** The flash sale: sellers in processes of their own, one till, and the scenes they play. */
@NullMarked
package io.lockkeeper.cli.demo;

import org.jspecify.annotations.NullMarked;
