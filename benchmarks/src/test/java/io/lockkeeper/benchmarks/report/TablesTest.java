package io.lockkeeper.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.benchmarks.report.Finding.Entry;
import io.lockkeeper.benchmarks.report.Finding.Race;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TablesTest {

    private static Race race(Unit unit, double ours, double theirs) {
        return new Race(
                "group/row",
                "A row & more",
                "A sentence.",
                unit,
                List.of(
                        new Entry(
                                "lockkeeper",
                                "Lockkeeper",
                                Spread.of(List.of(ours, ours * 2, ours / 2)),
                                Map.of("share", 0.4)),
                        new Entry("redisson", "Redisson", Spread.of(theirs), Map.of())),
                List.of(Goal.times("redisson", 4), Goal.atLeast("share", 0.5)),
                0.1);
    }

    @Test
    void aGoalIsReachedByTimesAsGoodWhicheverWayIsBetter() {
        assertThat(Tables.of(race(Unit.PAIRS, 4000, 1000)).get(2)).contains("4.00×", "4.00× reached");
        assertThat(Tables.of(race(new Unit("µs", false), 100, 450)).get(2)).contains("4.50×", "4.00× reached");
        assertThat(Tables.of(race(new Unit("µs", false), 450, 100)).get(2)).contains("0.22×", "4.00× **missed**");
    }

    @Test
    void rowsThatWeLoseAreShownAsPlainly() {
        String page = Tables.markdown(Tables.of(race(Unit.PAIRS, 500, 1000)));
        assertThat(page).contains("0.50× | 4.00× **missed**").contains("0.400 (≥ 0.500 **missed**)");
    }

    @Test
    void thePageHasItsPicturesAndRawFigures(@TempDir Path folder) throws Exception {
        var line = new TreeMap<>(Map.of(1, 10.0, 1000, 25.0));
        List<Finding> findings = List.of(
                race(Unit.PAIRS, 4000, 1000),
                race(new Unit("µs p50", false), 10, 20),
                new Finding.Growth(
                        "growth/x",
                        "X",
                        "How.",
                        "x",
                        new Unit("µs", false),
                        List.of(new Finding.Line("jedis", "raw", line))));
        new Page(Map.of("date", "today"), "full").write(folder, findings, Map.of("held", "why"), false);
        assertThat(folder.resolve("benchmarks.md"))
                .content()
                .contains(
                        "not complete",
                        "**Failed:** held: why",
                        "](benchmarks/growth-x.svg)",
                        "| A row & more | Redisson | 4.00× |");
        assertThat(folder.resolve("benchmarks/group-row.json")).content().contains("\"least\": 5.00000");
        try (var pictures = Files.newDirectoryStream(folder.resolve("benchmarks"), "*.svg")) {
            for (Path picture : pictures) {
                assertThat(DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(picture.toFile())
                                .getElementsByTagName("text")
                                .getLength())
                        .isGreaterThan(2);
            }
        }
    }

    @Test
    void theMedianOfAnEvenNumberIsInTheMiddle() {
        assertThat(Spread.of(List.of(1.0, 10.0, 2.0, 4.0))).isEqualTo(new Spread(3, 1, 10));
    }
}
