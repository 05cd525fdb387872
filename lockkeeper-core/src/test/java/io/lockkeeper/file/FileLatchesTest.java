package io.lockkeeper.file;

import static io.lockkeeper.file.Claims.LATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.LatchStore.State;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLatchesTest {

    @TempDir
    Path folder;

    private Store store;
    private Store other;
    private LatchStore a;
    private LatchStore b;

    @BeforeEach
    void open() {
        store = FileBackend.in(folder).open(new TestKeeper("A"));
        other = FileBackend.in(folder).open(new TestKeeper("B"));
        a = StoreAbility.of(store, LatchStore.class);
        b = StoreAbility.of(other, LatchStore.class);
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
    }

    private long generation() {
        return a.state(LATCH, false).generation();
    }

    private int count() {
        return b.state(LATCH, true).count();
    }

    @Test
    void aRepeatedOperationCountsOnce() {
        assertThat(a.state(LATCH, false)).isEqualTo(new State(0, 0));
        assertThat(a.set(LATCH, "set", 2)).isTrue();
        assertThat(a.countDown(LATCH, generation(), "x")).isTrue();
        assertThat(b.countDown(LATCH, generation(), "x")).isTrue();
        assertThat(count()).isEqualTo(1);
        assertThat(b.countDown(LATCH, generation(), "y")).isTrue();
        assertThat(count()).isZero();
        assertThat(b.countDown(LATCH, generation(), "z")).isTrue();
        assertThat(count()).isZero();
    }

    @Test
    void settingIsIdempotentAndRefusedWhileItCounts() {
        assertThat(a.set(LATCH, "set", 2)).isTrue();
        State first = a.state(LATCH, false);
        assertThat(a.set(LATCH, "set", 2)).isTrue();
        assertThat(b.set(LATCH, "other", 5)).isFalse();
        assertThat(b.state(LATCH, false)).isEqualTo(first);
        assertThatThrownBy(() -> a.set(LATCH, "none", 0)).hasMessageContaining("at least 1");
    }

    @Test
    void aLateCountDownOfTheLastGenerationDoesNotTouchTheNext() {
        a.set(LATCH, "one", 1);
        long first = generation();
        a.countDown(LATCH, first, "x");
        assertThat(a.set(LATCH, "one", 1)).as("repeated after it opened").isTrue();
        assertThat(generation()).isEqualTo(first);
        assertThat(b.set(LATCH, "two", 1)).isTrue();
        assertThat(generation()).isGreaterThan(first);
        assertThat(a.countDown(LATCH, first, "late")).isFalse();
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void deletionForgetsOnlyItsGenerationAndNoneIsUsedTwice() {
        a.set(LATCH, "one", 3);
        long first = generation();
        b.delete(LATCH, first - 1);
        assertThat(count()).isEqualTo(3);
        b.delete(LATCH, first);
        assertThat(a.state(LATCH, false)).isEqualTo(new State(0, 0));
        assertThat(a.countDown(LATCH, first, "x")).isFalse();
        a.set(LATCH, "two", 3);
        assertThat(generation()).isGreaterThan(first);
    }

    @Test
    void aLatchOutlivesItsKeeper() {
        a.set(LATCH, "one", 3);
        a.countDown(LATCH, generation(), "x");
        store.close();
        assertThat(count()).isEqualTo(2);
        assertThat(other.list("")).isEmpty();
    }
}
