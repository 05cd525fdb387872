package io.lockkeeper.quorum.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.quorum.rounds.World.Planted;
import io.lockkeeper.quorum.rounds.World.Trouble;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Thousands of bad days of two or three claimants with three to five members. */
class RoundsSimulationTest {

    private static final int SEEDS = 120;
    private static final int MANY_SEEDS = 3_000;

    private static World exclusion(long seed) {
        return new World(seed).with(Trouble.LOSS, Trouble.DELAY, Trouble.DOUBLES, Trouble.RESTARTS);
    }

    private static World order(long seed) {
        return new World(seed).with(Trouble.LOSS, Trouble.DELAY, Trouble.DOUBLES, Trouble.JUMPS, Trouble.FORCE);
    }

    private static void assertHolds(int seeds, LongFunction<World> worlds) {
        long grants = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            World world = worlds.apply(seed).run();
            long failed = seed;
            assertThat(world.violations)
                    .as(() -> "seed " + failed + "; the last events were\n" + String.join("\n", world.trace()))
                    .isEmpty();
            grants += world.grants();
        }
        // A world in which nobody gets anything proves nothing.
        assertThat(grants).isGreaterThan(5L * seeds);
    }

    @Test
    void neverTwoHoldersAndTokensGoUpThroughLossDelayDoublesAndRestarts() {
        assertHolds(SEEDS, RoundsSimulationTest::exclusion);
    }

    @Test
    void readersExcludeWritersAndHaveTokensOfTheirOwn() {
        assertHolds(SEEDS, seed -> exclusion(seed).withReaders());
    }

    @Test
    void tokensGoUpEvenWhenClocksJumpAndGrantsAreForced() {
        assertHolds(SEEDS, RoundsSimulationTest::order);
    }

    @Test
    @Tag("full")
    void manyMoreBadDays() {
        assertHolds(MANY_SEEDS, RoundsSimulationTest::exclusion);
        assertHolds(MANY_SEEDS, seed -> exclusion(seed).withReaders());
        assertHolds(MANY_SEEDS, RoundsSimulationTest::order);
    }

    @ParameterizedTest
    @EnumSource
    void plantedMistakeIsFound(Planted mistake) {
        boolean jumps = mistake == Planted.WRITE_BACK_NOT_TIED_TO_THE_CLAIM || mistake == Planted.WRITE_BACK_FORGOTTEN;
        for (long seed = 1; seed <= 30 * SEEDS; seed++) {
            World world = (jumps ? order(seed) : exclusion(seed)).plant(mistake).run();
            if (!world.violations.isEmpty()) {
                return;
            }
        }
        assertThat(mistake).as("was not found").isNull();
    }

    @Test
    void seedReplaysExactly() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(exclusion(seed).run().hash())
                    .isEqualTo(exclusion(seed).run().hash());
        }
    }
}
