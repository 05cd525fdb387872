package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.StoreAbility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiters of a latch are signalled when it opens or is deleted, and need not poll. */
class LatchSignalsTest {

    private final StoreScene scene = new StoreScene();
    private final Resource latch = new Resource(Family.LATCH, "latch");

    @AfterEach
    void end() {
        scene.close();
    }

    private LatchStore latches(String keeper) {
        return StoreAbility.of(scene.store(keeper), LatchStore.class);
    }

    @Test
    void openingAndDeletingTellThoseWhoWait() {
        latches("b").set(latch, "set", 2);
        long first = latches("a").state(latch, true).generation();
        latches("b").countDown(latch, first, "one");
        latches("b").countDown(latch, first, "one");
        assertThat(latches("a").state(latch, true).count()).isEqualTo(1);
        latches("b").countDown(latch, first, "two");
        Eventually.holds(() -> scene.keeper("a").signals.contains(latch));

        scene.keeper("a").signals.clear();
        latches("b").set(latch, "set again", 1);
        long second = latches("a").state(latch, true).generation();
        assertThat(second).isGreaterThan(first);
        latches("b").delete(latch, second);
        Eventually.holds(() -> scene.keeper("a").signals.contains(latch));
    }
}
