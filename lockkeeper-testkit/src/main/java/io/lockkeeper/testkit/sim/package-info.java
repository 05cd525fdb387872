/**
 * A simulator: several keepers that run the real engine, on machines of their own, against a simulated store, all in one
 * thread and in virtual time. Networks lose and delay, processes pause and crash, clocks drift and jump, stores restart and
 * fail over, as a seed says; the same seed gives the same run, event for event. After each event the promises of the
 * library are checked, and at the end that everything goes on once the trouble is over.
 *
 * <p>{@link io.lockkeeper.testkit.sim.PlantedBug} is the test of the test: mistakes that lock libraries have made, each of
 * which the simulator must catch.
 */
@NullMarked
package io.lockkeeper.testkit.sim;

import org.jspecify.annotations.NullMarked;
