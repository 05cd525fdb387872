package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.HoldState;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MajorityHold;
import io.lockkeeper.MajorityLock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A majority of three locks as one: one holder, a minority that does not matter, and nothing that stays behind. */
public abstract class MajorityLockContract extends ContractTest {

    private static List<String> names() {
        return Stream.generate(ContractTest::freshName).limit(3).toList();
    }

    private static MajorityLock majority(Lockkeeper keeper, List<String> names) {
        return MajorityLock.of(names.stream().map(keeper::lock).toArray(DistributedLock[]::new));
    }

    private MajorityHold got(MajorityLock lock) throws Exception {
        return held(lock.tryAcquire(PATIENCE));
    }

    @Test
    void oneHasAMajorityAndNoOther() throws Exception {
        List<String> names = names();
        try (MajorityHold hold = got(majority(keeper(), names))) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            taken(majority(otherKeeper(), names));
        }
        got(majority(otherKeeper(), names)).close();
        names.forEach(this::assertNoTrace);
    }

    @Test
    void aMinorityThatAnotherHoldsDoesNotMatter() throws Exception {
        List<String> names = names();
        try (ExclusiveHold other = take(otherKeeper().lock(names.get(1)))) {
            try (MajorityHold hold = got(majority(keeper(), names))) {
                hold.ensureHeld();
                assertThat(other.state()).isEqualTo(HoldState.HELD);
            }
        }
        names.forEach(this::assertNoTrace);
    }

    @Test
    void aMajorityThatOthersHoldIsNotHad() throws Exception {
        List<String> names = names();
        try (ExclusiveHold one = take(otherKeeper().lock(names.get(0)));
                ExclusiveHold two = take(otherKeeper().lock(names.get(2)))) {
            taken(majority(keeper(), names));
            assertThat(majority(keeper(), names).tryAcquire(A_WHILE)).isNull();
            assertThat(List.of(one.state(), two.state())).containsOnly(HoldState.HELD);
        }
        names.forEach(this::assertNoTrace);
    }

    @Test
    void aWaiterHasItAfterTheRelease() throws Exception {
        List<String> names = names();
        MajorityHold first = got(majority(keeper(), names));
        Task<MajorityHold> waiter =
                inThread(() -> majority(otherKeeper(), names).acquire());
        letPass(A_WHILE);
        assertThat(waiter.isDone()).isFalse();

        first.close();
        get(waiter.result()).close();

        names.forEach(this::assertNoTrace);
    }

    @Test
    void fewerThanThreeLocksOrOneTwiceAreRefused() {
        List<String> names = names();
        assertThatThrownBy(() -> majority(keeper(), names.subList(0, 2))).isInstanceOf(IllegalArgumentException.class);
        List<String> twice = List.of(names.get(0), names.get(1), names.get(0));
        assertThatThrownBy(() -> majority(keeper(), twice)).isInstanceOf(IllegalArgumentException.class);
    }
}
