package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.LockLostException;
import io.lockkeeper.Loss;
import io.lockkeeper.spi.Mode;
import org.junit.jupiter.api.Test;

/** Nesting by {@code lock()}: counted in memory, never after a loss. */
class OwnersTest {

    private final Rig rig = new Rig();
    private final Owners owners = new Owners(Rig.RESOURCE);

    private Holding own(Object owner, Wish wish) {
        Holding holding = rig.acquire(wish, 1, 1);
        owners.own(owner, holding, wish.mode());
        return holding;
    }

    @Test
    void whoHasItNestsAndUnlocksAsOften() {
        Holding holding = own("A", Rig.EXCLUSIVE);
        assertThat(owners.nest(rig.now(), "A", Mode.EXCLUSIVE)).isTrue();
        assertThat(owners.count(rig.now(), "A", Mode.EXCLUSIVE)).isEqualTo(2);

        assertThat(owners.unlock("A", Mode.EXCLUSIVE).what()).isEqualTo(Owners.Unlocking.NESTED);
        assertThat(owners.unlock("A", Mode.EXCLUSIVE))
                .isEqualTo(new Owners.Unlocked(Owners.Unlocking.RELEASE, holding));
        assertThat(owners.isEmpty()).isTrue();
    }

    @Test
    void whoDoesNotHaveItDoesNotNest() {
        own("A", Rig.EXCLUSIVE);

        assertThat(owners.nest(rig.now(), "B", Mode.EXCLUSIVE)).isFalse();
        assertThat(owners.count(rig.now(), "B", Mode.EXCLUSIVE)).isZero();
    }

    @Test
    void nobodyNestsAfterALoss() {
        Holding holding = own("A", Rig.EXCLUSIVE);
        rig.engine.lose(rig.now(), holding.grant(), Loss.Reason.TAKEN);

        assertThatThrownBy(() -> owners.nest(rig.now(), "A", Mode.EXCLUSIVE))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("TAKEN");
        assertThat(owners.count(rig.now(), "A", Mode.EXCLUSIVE)).isZero();
    }

    @Test
    void nobodyNestsAfterTheDeadlineThoughNobodyToldHim() {
        own("A", Rig.EXCLUSIVE);
        rig.pass(Rig.LEASE);

        assertThatThrownBy(() -> owners.nest(rig.now(), "A", Mode.EXCLUSIVE)).isInstanceOf(LockLostException.class);
    }

    @Test
    void unlockingWhatOneDoesNotHaveIsAMistake() {
        own("A", Rig.EXCLUSIVE);

        assertThatThrownBy(() -> owners.unlock("B", Mode.EXCLUSIVE)).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> owners.unlock("A", Mode.SHARED)).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aReaderCanNotAskToWrite() {
        own("A", Rig.SHARED);

        assertThatThrownBy(() -> owners.nest(rig.now(), "A", Mode.EXCLUSIVE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("unlock the read lock first");
    }

    @Test
    void aWriterMayReadAndThenIsAReader() {
        Holding writing = own("A", Rig.EXCLUSIVE);
        assertThat(owners.nest(rig.now(), "A", Mode.SHARED)).isTrue();

        assertThat(owners.unlock("A", Mode.EXCLUSIVE))
                .isEqualTo(new Owners.Unlocked(Owners.Unlocking.DOWNGRADE, writing));
        Holding reading = rig.engine.succeed(rig.now(), writing);
        owners.replace("A", reading);

        assertThat(owners.holding("A", Mode.SHARED)).isSameAs(reading);
        assertThat(owners.holding("A", Mode.EXCLUSIVE)).isNull();
        assertThat(owners.unlock("A", Mode.SHARED)).isEqualTo(new Owners.Unlocked(Owners.Unlocking.RELEASE, reading));
    }

    @Test
    void aWriterMayUnlockTheReadHalfFirst() {
        own("A", Rig.EXCLUSIVE);
        owners.nest(rig.now(), "A", Mode.SHARED);

        assertThat(owners.unlock("A", Mode.SHARED).what()).isEqualTo(Owners.Unlocking.NESTED);
        assertThat(owners.unlock("A", Mode.EXCLUSIVE).what()).isEqualTo(Owners.Unlocking.RELEASE);
    }

    @Test
    void anOwnerStandsInTheWayOfWhatExcludesHim() {
        own("A", Rig.SHARED);

        assertThat(owners.stands("A", Mode.EXCLUSIVE)).isTrue();
        assertThat(owners.stands("A", Mode.SHARED)).isFalse();
        assertThat(owners.stands("B", Mode.EXCLUSIVE)).isFalse();
    }

    @Test
    void aForgottenOwnerIsGone() {
        own("A", Rig.EXCLUSIVE);
        owners.forget("A");

        assertThat(owners.isEmpty()).isTrue();
    }
}
