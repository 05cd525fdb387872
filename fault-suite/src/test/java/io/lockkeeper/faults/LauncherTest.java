package io.lockkeeper.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.ProcessReaper;
import io.lockkeeper.testkit.TestTimeouts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that does not come to its end says so. */
@Tag("once")
final class LauncherTest {

    @TempDir
    Path folder;

    private Process drive() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process driver = ProcessReaper.watch(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath.replace("\n", File.pathSeparator),
                        Main.class.getName(),
                        "--on",
                        "file",
                        "--clients",
                        "1",
                        "--keep",
                        folder.resolve("journals").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start());
        TestTimeouts.until("it has begun", () -> said().contains("file: 1 of 100"));
        return driver;
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"), UTF_8);
        } catch (IOException notYet) {
            return "";
        }
    }

    @Test
    void whatIsToldToEndSaysThatItWasNotDone() throws Exception {
        Process driver = drive();
        driver.destroy();

        assertThat(driver.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(driver.exitValue()).isNotZero();
        assertThat(said()).contains("was told to end before it was done");
    }
}
