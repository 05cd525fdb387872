/**
 * What must hold on every backend, as abstract test classes. A backend supplies a {@link
 * io.lockkeeper.testkit.BackendFixture} and one concrete class per contract.
 */
@NullMarked
package io.lockkeeper.testkit.contract;

import org.jspecify.annotations.NullMarked;
