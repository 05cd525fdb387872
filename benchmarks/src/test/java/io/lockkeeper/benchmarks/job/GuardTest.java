package io.lockkeeper.benchmarks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What would go wrong without a lock is noticed. */
class GuardTest {

    @TempDir
    Path folder;

    private Slots slots;

    @BeforeEach
    void map() {
        slots = new Slots(folder.resolve("slots"));
    }

    private Guard guard(int owner) {
        return new Guard(slots, 0, owner, true);
    }

    @Test
    void countsWhoComesOneAfterTheOther() {
        for (int i = 1; i <= 10; i++) {
            Guard guard = guard(i);
            guard.enter(i);
            guard.leave();
        }
        assertThat(new Slots(folder.resolve("slots")).sum(Guard.COUNTER)).isEqualTo(10);
    }

    @Test
    void aSecondOneInsideIsNoticedByBoth() {
        Guard first = guard(1);
        Guard second = guard(2);
        first.enter(1);
        assertThatThrownBy(() -> second.enter(2)).hasMessageContaining("Not exclusive");
        slots.set(0, 2, 2);
        assertThatThrownBy(first::leave).hasMessageContaining("Not exclusive");
    }

    @Test
    void aTokenThatDoesNotGrowIsNoticed() {
        Guard guard = guard(1);
        guard.enter(5);
        guard.leave();
        assertThatThrownBy(() -> guard.enter(5)).hasMessageContaining("token 5 came after 5");
    }
}
