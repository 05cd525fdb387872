package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.LockLostException;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Mode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nesting by {@code lock()}: counted in memory, never after a loss, and a loss ends nothing but what was lost. */
class OwnersTest {

    private static final long ONE = 11;
    private static final long OTHER = 12;

    private final Rig rig = new Rig();
    private final Owed owed = new Owed();
    private final Owners owners = new Owners(Rig.RESOURCE, owed);

    /** Remembers all that was lost. */
    private static final class Owed implements Owners.Arrears {
        private final Map<Object, Levels> levels = new HashMap<>();
        private final Map<Object, Loss> losses = new HashMap<>();

        @Override
        public void owe(Object owner, Resource resource, Levels lost, Loss loss) {
            levels.computeIfAbsent(owner, first -> new Levels()).addAll(lost);
            losses.put(owner, loss);
        }

        @Override
        public boolean owes(Object owner, Resource resource, Mode mode, long thread) {
            return levels.getOrDefault(owner, new Levels()).has(mode, thread);
        }

        @Override
        public @Nullable Loss pay(Object owner, Resource resource, Mode mode, long thread) {
            Loss loss = last(owner, resource, mode);
            if (loss != null) {
                levels.get(owner).remove(mode, thread);
            }
            return loss;
        }

        @Override
        public @Nullable Loss last(Object owner, Resource resource, Mode mode) {
            return levels.getOrDefault(owner, new Levels()).of(mode) == 0 ? null : losses.get(owner);
        }
    }

    private EngineHold own(Object owner, AcquireRequest request) {
        return own(owner, request, 0);
    }

    private EngineHold own(Object owner, AcquireRequest request, long thread) {
        EngineHold holding = rig.acquire(request, 1, 1);
        owners.own(rig.now(), owner, holding, request.mode(), thread);
        return holding;
    }

    private Owners.Nesting nest(Object owner, Mode mode) {
        return owners.nest(rig.now(), owner, mode, 0);
    }

    private Owners.Unlocked unlock(Object owner, Mode mode) {
        return owners.unlock(rig.now(), owner, mode, 0);
    }

    private void lose(EngineHold holding) {
        rig.engine.lose(rig.now(), holding.grant(), Loss.Reason.TAKEN);
    }

    private void unlockingSaysLost(Object owner, Mode mode, long thread) {
        assertThatThrownBy(() -> owners.unlock(rig.now(), owner, mode, thread))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("was lost");
    }

    private void unlockingIsAMistake(Object owner, Mode mode) {
        assertThatThrownBy(() -> unlock(owner, mode)).isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void anOwnerNestsAndUnlocksAsOften() {
        EngineHold holding = own("A", Rig.EXCLUSIVE);
        assertThat(nest("A", Mode.EXCLUSIVE)).isEqualTo(Owners.Nesting.NESTED);
        assertThat(owners.count(rig.now(), "A", Mode.EXCLUSIVE)).isEqualTo(2);

        assertThat(unlock("A", Mode.EXCLUSIVE).what()).isEqualTo(Owners.Unlocking.NESTED);
        assertThat(unlock("A", Mode.EXCLUSIVE)).isEqualTo(new Owners.Unlocked(Owners.Unlocking.RELEASE, holding));
        assertThat(owners.isEmpty()).isTrue();
    }

    @Test
    void anotherOwnerDoesNotNest() {
        own("A", Rig.EXCLUSIVE);

        assertThat(nest("B", Mode.EXCLUSIVE)).isEqualTo(Owners.Nesting.ACQUIRE);
        assertThat(owners.count(rig.now(), "B", Mode.EXCLUSIVE)).isZero();
    }

    @Test
    void afterALossAnOwnerDoesNotNestButAcquires() {
        EngineHold holding = own("A", Rig.EXCLUSIVE);
        lose(holding);

        assertThat(nest("A", Mode.EXCLUSIVE)).isEqualTo(Owners.Nesting.ACQUIRE);
        assertThat(owners.count(rig.now(), "A", Mode.EXCLUSIVE)).isZero();
        assertThat(owners.isEmpty()).as("nothing is left here").isTrue();
        assertThatThrownBy(() -> owners.current(rig.now(), "A", Mode.EXCLUSIVE))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("TAKEN");
    }

    @Test
    void afterTheDeadlineAnOwnerDoesNotNestThoughNobodySaidSo() {
        own("A", Rig.EXCLUSIVE);
        rig.pass(Rig.LEASE);

        assertThat(nest("A", Mode.EXCLUSIVE)).isEqualTo(Owners.Nesting.ACQUIRE);
        unlockingSaysLost("A", Mode.EXCLUSIVE, 0);
    }

    @Test
    void eachLostLevelSaysSoOnce() {
        EngineHold holding = own("A", Rig.EXCLUSIVE);
        nest("A", Mode.EXCLUSIVE);
        lose(holding);

        unlockingSaysLost("A", Mode.EXCLUSIVE, 0);
        unlockingSaysLost("A", Mode.EXCLUSIVE, 0);
        unlockingIsAMistake("A", Mode.EXCLUSIVE);
    }

    @Test
    void innerCodeUnlocksItsNewHoldAndOuterCodeHearsOfTheLoss() {
        lose(own("A", Rig.EXCLUSIVE));
        EngineHold inner = own("A", Rig.EXCLUSIVE);

        assertThat(unlock("A", Mode.EXCLUSIVE)).isEqualTo(new Owners.Unlocked(Owners.Unlocking.RELEASE, inner));
        unlockingSaysLost("A", Mode.EXCLUSIVE, 0);
        unlockingIsAMistake("A", Mode.EXCLUSIVE);
    }

    @Test
    void anUnlockThatNeverCameKeepsNoLaterHoldLocked() {
        for (int i = 0; i < 3; i++) {
            lose(own("A", Rig.EXCLUSIVE));
        }
        EngineHold later = own("A", Rig.EXCLUSIVE);

        assertThat(unlock("A", Mode.EXCLUSIVE)).isEqualTo(new Owners.Unlocked(Owners.Unlocking.RELEASE, later));
    }

    @Test
    void aThreadThatLostDoesNotUnlockTheNewHoldOfAnotherThreadOfTheSameOwner() {
        lose(own("A", Rig.EXCLUSIVE, ONE));
        EngineHold others = own("A", Rig.EXCLUSIVE, OTHER);

        unlockingSaysLost("A", Mode.EXCLUSIVE, ONE);
        assertThat(owners.current(rig.now(), "A", Mode.EXCLUSIVE)).isSameAs(others);
        assertThat(owners.unlock(rig.now(), "A", Mode.EXCLUSIVE, OTHER))
                .isEqualTo(new Owners.Unlocked(Owners.Unlocking.RELEASE, others));
        unlockingIsAMistake("A", Mode.EXCLUSIVE);
    }

    @Test
    void aThreadMayUnlockWhatAnotherOfTheSameOwnerLocked() {
        EngineHold holding = own("A", Rig.EXCLUSIVE, ONE);

        assertThat(owners.unlock(rig.now(), "A", Mode.EXCLUSIVE, OTHER))
                .isEqualTo(new Owners.Unlocked(Owners.Unlocking.RELEASE, holding));
        lose(holding);
        lose(own("A", Rig.EXCLUSIVE, ONE));
        unlockingSaysLost("A", Mode.EXCLUSIVE, OTHER);
    }

    @Test
    void unlockingWhatAnOwnerDoesNotHaveIsAMistake() {
        own("A", Rig.EXCLUSIVE);

        unlockingIsAMistake("B", Mode.EXCLUSIVE);
        unlockingIsAMistake("A", Mode.SHARED);
    }

    @Test
    void aReaderNeverGetsToWrite() {
        own("A", Rig.SHARED);

        assertThat(nest("A", Mode.EXCLUSIVE)).isEqualTo(Owners.Nesting.NEVER);
        assertThat(owners.count(rig.now(), "A", Mode.EXCLUSIVE)).isZero();
        assertThat(owners.readsAlready()).hasMessageContaining("unlock the read lock first");
    }

    @Test
    void aReaderThatLostMayWantToWrite() {
        lose(own("A", Rig.SHARED));

        assertThat(nest("A", Mode.EXCLUSIVE)).isEqualTo(Owners.Nesting.ACQUIRE);
        unlockingIsAMistake("A", Mode.EXCLUSIVE);
        unlockingSaysLost("A", Mode.SHARED, 0);
    }

    @Test
    void aWriterMayReadAndThenIsAReader() {
        EngineHold writing = own("A", Rig.EXCLUSIVE);
        assertThat(nest("A", Mode.SHARED)).isEqualTo(Owners.Nesting.NESTED);

        assertThat(unlock("A", Mode.EXCLUSIVE)).isEqualTo(new Owners.Unlocked(Owners.Unlocking.DOWNGRADE, writing));
        EngineHold reading = rig.engine.succeed(rig.now(), writing);
        owners.replace("A", reading);

        assertThat(owners.current(rig.now(), "A", Mode.SHARED)).isSameAs(reading);
        assertThatThrownBy(() -> owners.current(rig.now(), "A", Mode.EXCLUSIVE))
                .isExactlyInstanceOf(IllegalMonitorStateException.class);
        assertThat(unlock("A", Mode.SHARED)).isEqualTo(new Owners.Unlocked(Owners.Unlocking.RELEASE, reading));
    }

    @Test
    void aWriterMayUnlockTheReadHalfFirst() {
        own("A", Rig.EXCLUSIVE);
        nest("A", Mode.SHARED);

        assertThat(unlock("A", Mode.SHARED).what()).isEqualTo(Owners.Unlocking.NESTED);
        assertThat(unlock("A", Mode.EXCLUSIVE).what()).isEqualTo(Owners.Unlocking.RELEASE);
    }

    @Test
    void anOwnerStandsInTheWayOfWhatExcludesIt() {
        EngineHold holding = own("A", Rig.SHARED);

        assertThat(owners.stands(rig.now(), "A", Mode.EXCLUSIVE)).isTrue();
        assertThat(owners.stands(rig.now(), "A", Mode.SHARED)).isFalse();
        assertThat(owners.stands(rig.now(), "B", Mode.EXCLUSIVE)).isFalse();
        lose(holding);
        assertThat(owners.stands(rig.now(), "A", Mode.EXCLUSIVE)).isFalse();
    }
}
