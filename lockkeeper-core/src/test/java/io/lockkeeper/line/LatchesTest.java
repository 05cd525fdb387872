package io.lockkeeper.line;

import static io.lockkeeper.line.Claims.LATCH;
import static io.lockkeeper.line.Claims.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.LatchStore.State;
import org.junit.jupiter.api.Test;

class LatchesTest {

    private final LeasedStore store = new LeasedStore("s", TokenPolicy.COUNTER);

    private long generation() {
        return store.latchState("A", LATCH, false).generation();
    }

    private int count() {
        return store.latchState("A", LATCH, false).count();
    }

    @Test
    void aRepeatedOperationCountsOnce() {
        assertThat(store.latchState("A", LATCH, false)).isEqualTo(new State(0, 0));
        assertThat(store.latchSet(LATCH, "set", 2, 0)).isTrue();
        assertThat(store.latchCountDown(LATCH, generation(), "x", 1)).isTrue();
        assertThat(store.latchCountDown(LATCH, generation(), "x", 1)).isTrue();
        assertThat(count()).isEqualTo(1);
        store.latchCountDown(LATCH, generation(), "y", 1);
        assertThat(count()).isZero();
    }

    @Test
    void settingIsIdempotentAndRefusedWhileItCounts() {
        assertThat(store.latchSet(LATCH, "set", 2, 0)).isTrue();
        long first = generation();
        assertThat(store.latchSet(LATCH, "set", 2, 1)).isTrue();
        assertThat(store.latchSet(LATCH, "other", 5, 1)).isFalse();
        assertThat(store.latchState("A", LATCH, false)).isEqualTo(new State(first, 2));
        assertThatThrownBy(() -> store.latchSet(LATCH, "none", 0, 1)).hasMessageContaining("at least 1");
    }

    @Test
    void aSettingThatIsRepeatedAfterTheLatchOpenedDoesNotBeginAnotherGeneration() {
        store.latchSet(LATCH, "set", 1, 0);
        long first = generation();
        store.latchCountDown(LATCH, first, "x", 1);
        assertThat(store.latchSet(LATCH, "set", 1, 2)).isTrue();
        assertThat(store.latchState("A", LATCH, false)).isEqualTo(new State(first, 0));
    }

    @Test
    void aLateCountDownOfTheLastGenerationDoesNotTouchTheNext() {
        store.latchSet(LATCH, "set1", 1, 0);
        long first = generation();
        store.latchCountDown(LATCH, first, "x", 1);
        assertThat(store.latchCountDown(LATCH, first, "x", 2)).isTrue();
        assertThat(store.latchSet(LATCH, "set2", 1, 3)).isTrue();
        assertThat(generation()).isGreaterThan(first);
        assertThat(store.latchCountDown(LATCH, first, "x", 4)).isFalse();
        assertThat(store.latchCountDown(LATCH, first, "y", 4)).isFalse();
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void thoseWhoAskedAreWokenAtZeroAndByDeletion() {
        store.latchSet(LATCH, "set", 1, 0);
        store.latchState("A", LATCH, true);
        store.latchState("B", LATCH, true);
        store.latchState("C", LATCH, false);
        store.latchCountDown(LATCH, generation(), "x", 1);
        assertThat(store.drainSignals())
                .extracting(LeasedStore.Signal::keeperId)
                .containsExactly("A", "B");
        store.latchSet(LATCH, "again", 1, 2);
        store.latchState("A", LATCH, true);
        store.latchDelete(LATCH, generation() - 1);
        assertThat(count()).as("another generation's deletion does nothing").isEqualTo(1);
        store.latchDelete(LATCH, generation());
        assertThat(store.drainSignals())
                .extracting(LeasedStore.Signal::keeperId)
                .containsExactly("A");
        assertThat(store.latchState("A", LATCH, false)).isEqualTo(new State(0, 0));
    }

    @Test
    void aGenerationIsNeverUsedTwice() {
        store.latchSet(LATCH, "set1", 1, 0);
        long first = generation();
        store.latchDelete(LATCH, first);
        store.attempt("A", exclusive("a1"), 0);
        store.latchSet(LATCH, "set2", 1, 0);
        assertThat(generation()).isGreaterThan(first);
        assertThat(store.latchCountDown(LATCH, first, "late", 1)).isFalse();
    }

    @Test
    void anOpenLatchIsForgottenAfterAMinute() {
        store.latchSet(LATCH, "set1", 1, 0);
        store.latchCountDown(LATCH, generation(), "x", 0);
        Resource other = new Resource(Family.LATCH, "other");
        store.latchSet(other, "set", 1, 59_000_000_000L);
        assertThat(generation()).isNotZero();
        store.latchDelete(other, store.latchState("A", other, false).generation());
        store.latchSet(other, "set", 1, 60_000_000_000L);
        assertThat(generation()).isZero();
    }
}
