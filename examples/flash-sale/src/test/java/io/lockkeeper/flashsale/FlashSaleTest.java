package io.lockkeeper.flashsale;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.redis.RedisServer;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import picocli.CommandLine;

/** The flash sale oversells where it says so and nowhere else, and its exit code tells. */
@Tag("once")
@Timeout(300)
final class FlashSaleTest {

    private static final String STOPPED = "a seller is stopped";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();

    private int sell(Map<Way, Way> planted, String... arguments) {
        CommandLine line =
                Main.commandLine(planted).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--chart", folder.resolve("chart.svg").toString()));
        return line.execute(all.toArray(String[]::new));
    }

    /** The figure of a column, in the table of a scene. */
    private int figure(String scene, Way way, String column) {
        List<String> lines = out.toString().lines().toList();
        int from = 0;
        while (!lines.get(from).contains(scene)) {
            from++;
        }
        while (!lines.get(from).contains("OVERSOLD")) {
            from++;
        }
        int end = lines.get(from).indexOf(" " + column) + 1 + column.length();
        String row = lines.stream()
                .skip(from)
                .filter(line -> line.strip().startsWith(way.title()))
                .findFirst()
                .orElseThrow();
        String before = row.substring(0, end).strip();
        return Integer.parseInt(before.substring(before.lastIndexOf(' ') + 1));
    }

    @Test
    void onlyWithoutALockMoreIsSoldThanThereIs() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            int code = sell(Map.of(), "--quick", "--scenes", "sale", "--redis", redis.url());
            assertThat(code).as(out.toString()).isZero();
        }
        assertThat(figure("everybody sells", Way.NO_LOCK, "OVERSOLD")).isPositive();
        for (Way way : Way.values()) {
            if (way != Way.NO_LOCK) {
                assertThat(figure("everybody sells", way, "SOLD"))
                        .as(way.title())
                        .isEqualTo(Load.QUICK.items());
                assertThat(figure("everybody sells", way, "NO STOCK")).isZero();
                assertThat(figure("everybody sells", way, "ATTEMPTS")).isGreaterThanOrEqualTo(Load.QUICK.items());
            }
        }
        Document chart = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(folder.resolve("chart.svg").toFile());
        assertThat(chart.getDocumentElement().getTagName()).isEqualTo("svg");
        // Sold and speed for each way, and what the first oversold.
        assertThat(chart.getElementsByTagName("rect").getLength()).isEqualTo(2 * Way.values().length + 1);
    }

    @Test
    void aStoppedSellerOversellsUnlessItsTokenIsCompared() {
        try (RedisServer redis = RedisServer.start()) {
            String ways = "lock_table,same_database,redis,version";
            int code = sell(Map.of(), "--quick", "--scenes", "pause", "--ways", ways, "--redis", redis.url());
            assertThat(code).as(out.toString()).isZero();
        }
        assertThat(figure(STOPPED, Way.LOCK_TABLE, "OVERSOLD")).isPositive();
        assertThat(figure(STOPPED, Way.SAME_DATABASE, "OVERSOLD")).isPositive();
        for (Way way : List.of(Way.REDIS, Way.VERSION)) {
            assertThat(figure(STOPPED, way, "OVERSOLD")).as(way.title()).isZero();
            assertThat(figure(STOPPED, way, "NO STOCK")).as(way.title()).isZero();
        }
        assertThat(figure(STOPPED, Way.REDIS, "FAILURES"))
                .as("the stopped seller's token was refused")
                .isPositive();
    }

    @Test
    void whatAKilledSellerHeldIsSoldByTheOthers() {
        int code = sell(Map.of(), "--quick", "--scenes", "kill", "--ways", "row_lock,same_database");
        assertThat(code).as(out.toString()).isZero();
        for (Way way : List.of(Way.ROW_LOCK, Way.SAME_DATABASE)) {
            assertThat(figure("a seller is killed", way, "SOLD")).isEqualTo(Load.QUICK.itemsInTrouble());
        }
    }

    @Test
    void aSafeWayThatOversellsIsAFailure() {
        int code = sell(
                Map.of(Way.ROW_LOCK, Way.NO_LOCK), "--quick", "--scenes", "sale", "--ways", "row_lock,one_statement");
        assertThat(code).as(out.toString()).isEqualTo(FlashSaleCommand.OVERSOLD);
        assertThat(out.toString())
                .contains("FAILED: 'row lock (pessimistic)' sold ")
                .doesNotContain("FAILED: 'one statement'");
    }

    @Test
    void whatCannotBeDoneIsSaidInOneSentence() {
        assertThat(sell(Map.of(), "--on", "jdbc:h2:mem:shop")).isEqualTo(FlashSaleCommand.WRONG_USE);
        assertThat(sell(Map.of(), "--on", "redis://localhost")).isEqualTo(FlashSaleCommand.WRONG_USE);
        assertThat(sell(Map.of(), "--on", "jdbc:oracle:thin:@localhost")).isEqualTo(FlashSaleCommand.WRONG_USE);
        assertThat(out.toString().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("flash-sale: ") && line.length() > 30);
    }

    @Test
    @Tag("full")
    void theSaleIsHeldOnPostgresAndLeavesNothingBehind() {
        try (RedisServer redis = RedisServer.start();
                PostgresServer server = PostgresServer.start()) {
            SqlDatabase database = server.createDatabase();
            assertThat(sell(Map.of(), "--quick", "--redis", redis.url(), "--on", database.fullUrl()))
                    .as(out.toString())
                    .isZero();
            assertThat(database.number("SELECT COUNT(*) FROM pg_tables WHERE tablename LIKE '%seckill%'"))
                    .isZero();
            database.execute("CREATE TABLE seckill_good (id int)");
            assertThat(sell(Map.of(), "--on", database.fullUrl())).isEqualTo(FlashSaleCommand.WRONG_USE);
            assertThat(out.toString()).contains("has a table seckill_good already");
        }
    }
}
