package io.lockkeeper.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {

    @TempDir
    private Path folder;

    @Test
    void whatWasWrittenByHandStaysWhenThePageIsMadeAnew() throws IOException {
        Path page = folder.resolve("benchmarks.md");
        Files.writeString(page, "# old figures\n\n" + Page.BY_HAND + "## Speed\n\nby hand\n");

        write();
        write();

        assertThat(Files.readString(page))
                .startsWith("# Benchmarks")
                .endsWith(Page.BY_HAND + "## Speed\n\nby hand\n")
                .containsOnlyOnce("by hand\n")
                .doesNotContain("old figures");
    }

    @Test
    void thePageOfTheProjectHasAPartWrittenByHand() throws IOException {
        assertThat(Files.readString(Path.of("../docs/benchmarks.md"))).contains(Page.BY_HAND + "## Speed\n");
    }

    private void write() throws IOException {
        new Page(Map.of("date", "2026-01-01"), "quick").write(folder, List.of(), Map.of(), true);
    }
}
