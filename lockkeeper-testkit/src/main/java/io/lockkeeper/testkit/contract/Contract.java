package io.lockkeeper.testkit.contract;

import io.lockkeeper.testkit.BackendFixture;

/**
 * Where a contract gets its store from. A backend extends this with a default method, so that each of its concrete classes
 * is one line:
 *
 * <pre>{@code
 * interface OnMemory extends Contract {
 *     default BackendFixture newFixture() { return new MemoryFixture(); }
 * }
 *
 * class MemoryContractTest {
 *     @Nested class Acquire extends AcquireContract implements OnMemory {}
 * }
 * }</pre>
 */
public interface Contract {

    /** A new store for one contract class. */
    BackendFixture newFixture() throws Exception;
}
