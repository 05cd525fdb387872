package io.lockkeeper.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What passed only the second time is named by the build server, which reads it from what Maven printed. */
final class FlakyCasesTest {

    /** Cases of a class, of a class nested in it and of a factory, as Surefire 3.6 tells of them. */
    private static final String LOG = """
            [ERROR] Tests run: 4, Failures: 3, Errors: 0, Skipped: 0, Time elapsed: 1.080 s <<< FAILURE! -- in a.FirstTest
            [ERROR] a.FirstTest.plain -- Time elapsed: 0.478 s <<< FAILURE!
            java.lang.AssertionError: once
            [INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.017 s -- in a.FirstTest
            [INFO]\s
            [INFO] Results:
            [INFO]\s
            [WARNING] Flakes:\s
            [WARNING] a.FirstTest.dynamic()[1]
            [ERROR]   Run 1: FirstTest.lambda$dynamic$0:28->once:17 once
            [INFO]   Run 2: PASS
            [INFO]\s
            [WARNING] a.FirstTest.nested
            [ERROR]   Run 1: FirstTest.once:17 once
            [INFO]   Run 2: PASS
            [INFO]\s
            [INFO]\s
            [WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Flakes: 2
            [INFO]\s
            [WARNING] JAR will be empty - no content was marked for inclusion!
            [WARNING] Flakes:\s
            [WARNING] b.SecondTest.plain
            [ERROR]   Run 1: SecondTest.plain:23 once
            [INFO]   Run 2: PASS
            [INFO]\s
            [WARNING] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1
            """;

    @TempDir
    Path folder;

    private List<String> flaky(String printed) throws IOException, InterruptedException {
        Path log = Files.writeString(folder.resolve("log"), printed);
        Process script = ProcessReaper.watch(
                new ProcessBuilder(Path.of("..", ".ci", "flaky-cases").toString(), log.toString())
                        .redirectErrorStream(true)
                        .start());
        List<String> lines = script.inputReader().lines().toList();
        assertThat(script.waitFor()).as(lines.toString()).isZero();
        return lines;
    }

    @Test
    void eachCaseThatPassedOnlyTheSecondTimeIsNamed() throws Exception {
        assertThat(flaky(LOG))
                .containsExactly(
                        "flaky: a.FirstTest.dynamic()[1]", "flaky: a.FirstTest.nested", "flaky: b.SecondTest.plain");
    }

    @Test
    void aBuildThatPassedAtOnceHasNone() throws Exception {
        assertThat(flaky("[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[WARNING] something else\n"))
                .isEmpty();
    }
}
