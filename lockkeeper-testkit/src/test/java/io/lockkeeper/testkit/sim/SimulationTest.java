package io.lockkeeper.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.sim.Plan.StoreKind;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The real engine through many bad days. A failing seed is printed with its last events and as few troubles as possible. */
@Tag("once")
class SimulationTest {

    private static final double HOUR = 3.6e12;

    @ParameterizedTest
    @EnumSource
    void everySeedKeepsThePromises(StoreKind store) {
        run(store, 0, store == StoreKind.QUORUM ? 120 : 600);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("full")
    void everySeedKeepsThePromisesInALongRun(StoreKind store) {
        run(store, 1_000, store == StoreKind.QUORUM ? 4_000 : 20_000);
    }

    /** 100194: every contact of a session met a store out of reach, other requests did not, and an orphan stayed. */
    @ParameterizedTest
    @CsvSource("SESSION, 100194")
    void aSeedThatFailedOnceIsGoodNow(StoreKind store, long seed) {
        run(store, seed, 1);
    }

    /** Leases of all lengths in sessions of all lengths, and no trouble: nothing that is renewed is lost, or the run fails. */
    @ParameterizedTest
    @EnumSource
    void nothingIsLostWhileNothingFails(StoreKind store) {
        for (int seed = 0; seed < 40; seed++) {
            Run run = Simulator.run(Plan.random(seed, store).with(Set.of()));
            if (run.violation() != null) {
                throw new AssertionError(Simulator.explain(run));
            }
        }
    }

    /** What no plan of the first seeds needs: followers cut off, with leases longer than sessions, for a long time. */
    @Test
    void noContactIsCountedThatTheLeaderNeverHeardOf() {
        Set<SimFaults> troubles = EnumSet.of(
                SimFaults.FOLLOWERS_CUT_OFF, SimFaults.PAUSES, SimFaults.PARTITIONS, SimFaults.SLOW_MESSAGES);
        for (int seed = 0; seed < 150; seed++) {
            Run run = Simulator.run(
                    Plan.random(seed, StoreKind.SESSION).with(troubles).bySession());
            if (run.violation() != null) {
                throw new AssertionError(Simulator.explain(run));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSeedReplaysEventForEvent(StoreKind store) {
        for (int seed = 0; seed < 5; seed++) {
            Run first = Simulator.run(Plan.random(seed, store));
            Run again = Simulator.run(Plan.random(seed, store), true);
            assertThat(again.hash()).isEqualTo(first.hash());
            assertThat(again.events()).isEqualTo(first.events());
            assertThat(Simulator.run(Plan.random(seed + 1, store)).hash()).isNotEqualTo(first.hash());
        }
    }

    private static void run(StoreKind store, long from, int seeds) {
        long start = System.nanoTime();
        long events = 0;
        long virtual = 0;
        long grants = 0;
        long losses = 0;
        long overlaps = 0;
        long refused = 0;
        Map<SimFaults, Integer> troubles = new EnumMap<>(SimFaults.class);
        for (long seed = from; seed < from + seeds; seed++) {
            Run run = Simulator.run(Plan.random(seed, store));
            if (run.violation() != null) {
                throw new AssertionError(Simulator.explain(run));
            }
            events += run.events();
            virtual += run.virtualNanos();
            grants += run.grants();
            losses += run.losses();
            overlaps += run.overlaps();
            refused += run.refused();
            run.troubles().forEach((trouble, count) -> troubles.merge(trouble, count, Integer::sum));
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "Simulation, %s store: %,d seeds, %.1f virtual hours in %.1f s (%.1f hours a second), %,d events,"
                        + " %,d grants, %,d losses, %,d stale writes refused, overlaps that no lease can exclude %,d%n  %s%n",
                store,
                seeds,
                virtual / HOUR,
                seconds,
                virtual / HOUR / seconds,
                events,
                grants,
                losses,
                refused,
                overlaps,
                troubles);
        assertThat(grants).isGreaterThan(seeds);
    }
}
