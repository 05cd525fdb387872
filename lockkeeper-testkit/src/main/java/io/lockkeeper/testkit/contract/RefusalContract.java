package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a store does not offer it refuses in the call that asks for it, with a sentence that names the stores that do. */
public abstract class RefusalContract extends ContractTest {

    /** A call for each capability that users ask for by name; the others only change how well things work. */
    private Map<Capability, ThrowingCallable> calls() {
        Map<Capability, ThrowingCallable> calls = new EnumMap<>(Capability.class);
        calls.put(Capability.SHARED, () -> keeper().readWriteLock(freshName()));
        calls.put(Capability.PERMITS, () -> keeper().semaphore(freshName(), 2));
        calls.put(Capability.FAIR, () -> keeper().fairLock(freshName()));
        calls.put(Capability.LATCH, () -> keeper().latch(freshName()));
        calls.put(Capability.PORTABLE, () -> keeper().lock(freshName()).portable());
        calls.put(Capability.FORCE_RELEASE, () -> keeper().forceRelease(freshName()));
        calls.put(Capability.STICKY, () -> keeper().lock(freshName()).sticky(Duration.ofMillis(100)));
        return calls;
    }

    /** A contract about what the store does not offer is not listed, so that no case passes without having shown anything. */
    @Test
    void theSuiteListsTheContractsOfWhatIsOffered() {
        assertThat(Contracts.wrongWith(getClass().getEnclosingClass(), fixture().capabilities()))
                .isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> refused() {
        Map<Capability, ThrowingCallable> calls = calls();
        calls.keySet().removeAll(EnumSet.copyOf(fixture().capabilities()));
        return calls.entrySet().stream()
                .map(call -> DynamicTest.dynamicTest(
                        call.getKey() + " is refused",
                        () -> assertThatThrownBy(call.getValue())
                                .isInstanceOf(UnsupportedFeatureException.class)
                                .hasMessageContaining(call.getKey().what())
                                .hasMessageContaining(call.getKey().offeredBy())));
    }
}
