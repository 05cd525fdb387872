package io.lockkeeper.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who tests the tests: every planted bug must be caught, and by the invariant that it breaks. */
@Tag("once")
class PlantedBugsTest {

    private static final int BUDGET = 300;

    @ParameterizedTest
    @EnumSource
    void plantedBugIsCaught(PlantedBug bug) {
        for (int seed = 0; seed < BUDGET; seed++) {
            Run run = Simulator.run(bug.plan(seed));
            Violation violation = run.violation();
            if (violation != null) {
                System.out.printf("%-28s caught by %s after %d seeds%n", bug, violation.rule(), seed + 1);
                assertThat(bug.rules()).as(violation.getMessage()).contains(violation.rule());
                Run sound = Simulator.run(bug.plan(seed).with((PlantedBug) null));
                assertThat(sound.violation()).as("the same run without the bug").isNull();
                return;
            }
        }
        fail("%s was not caught by %d seeds", bug, BUDGET);
    }
}
