package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.spi.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a store does not offer it refuses in the call that asks for it, with a sentence that names the stores that do. */
public abstract class RefusalContract extends ContractTest {

    private static final Duration EXTENDED = Duration.ofMinutes(1);

    /** A call for each capability that users ask for by name; the others only change how well things work. */
    private Map<Capability, List<ThrowingCallable>> calls() {
        Map<Capability, List<ThrowingCallable>> calls = new EnumMap<>(Capability.class);
        calls.put(Capability.SHARED, List.of(() -> keeper().readWriteLock(freshName())));
        calls.put(Capability.PERMITS, List.of(() -> keeper().semaphore(freshName(), 2)));
        calls.put(Capability.FAIR, List.of(() -> keeper().fairLock(freshName())));
        calls.put(Capability.LATCH, List.of(() -> keeper().latch(freshName())));
        calls.put(Capability.PORTABLE, portable());
        calls.put(Capability.FORCE_RELEASE, forced());
        calls.put(Capability.STICKY, List.of(() -> keeper().lock(freshName()).sticky(Duration.ofMillis(100))));
        calls.put(
                Capability.EXTEND,
                List.of(() -> extend(hold -> hold.extend(EXTENDED)), () -> extend(hold -> hold.extendAsync(EXTENDED))));
        calls.put(Capability.HOLDERS, holders());
        if (can(Capability.PERMITS)) {
            calls.put(Capability.SIZES, List.of(() -> keeper().semaphore(freshName())));
        }
        return calls;
    }

    private List<ThrowingCallable> portable() {
        List<ThrowingCallable> calls = new ArrayList<>();
        calls.add(() -> keeper().lock(freshName()).portable());
        calls.add(() -> keeper().requests());
        if (can(Capability.PERMITS)) {
            calls.add(() -> keeper().semaphore(freshName(), 2).portable());
        }
        if (can(Capability.SHARED)) {
            calls.add(() -> keeper().readWriteLock(freshName()).readLock().portable());
        }
        return calls;
    }

    private List<ThrowingCallable> holders() {
        List<ThrowingCallable> calls = new ArrayList<>();
        calls.add(() -> keeper().list(freshName()));
        calls.add(() -> keeper().leaderElection(freshName()).current());
        if (can(Capability.SHARED)) {
            calls.add(() -> keeper().leaderElection(freshName()).candidates());
        }
        return calls;
    }

    private List<ThrowingCallable> forced() {
        List<ThrowingCallable> calls = new ArrayList<>();
        calls.add(() -> keeper().forceRelease(freshName()));
        calls.add(() -> keeper().forceRelease(lockNamed(freshName())));
        calls.add(() -> keeper().lock(freshName()).forceRelease());
        if (can(Capability.SHARED)) {
            calls.add(() -> keeper().readWriteLock(freshName()).readLock().forceRelease());
        }
        return calls;
    }

    private void extend(Consumer<ExclusiveHold> extending) {
        try (ExclusiveHold hold = take(keeper().lock(freshName()).withFixedLease(Duration.ofSeconds(30)))) {
            extending.accept(hold);
        }
    }

    /** A contract about what the store does not offer is not listed, so that no case passes without having shown anything. */
    @Test
    void theSuiteListsTheContractsOfWhatIsOffered() {
        assertThat(Contracts.wrongWith(getClass().getEnclosingClass(), fixture().capabilities()))
                .isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> refused() {
        Map<Capability, List<ThrowingCallable>> calls = calls();
        calls.keySet().removeAll(EnumSet.copyOf(fixture().capabilities()));
        return calls.entrySet().stream()
                .map(refused -> DynamicTest.dynamicTest(refused.getKey() + " is refused", () -> {
                    for (ThrowingCallable call : refused.getValue()) {
                        assertNotOffered(refused.getKey(), call);
                    }
                }));
    }
}
