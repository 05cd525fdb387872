/**
 * What is needed to test a backend, or code that uses locks: clocks set by hand, a backend whose network fails on
 * demand, other JVMs that can be paused and killed, and in {@link io.lockkeeper.testkit.contract} the suite that every
 * backend has to pass.
 */
@NullMarked
package io.lockkeeper.testkit;

import org.jspecify.annotations.NullMarked;
