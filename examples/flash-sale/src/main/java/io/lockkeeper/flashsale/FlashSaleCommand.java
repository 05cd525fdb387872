package io.lockkeeper.flashsale;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command: sells the stock in all ways and scenes, and tells how it went. */
@Command(
        name = "flash-sale",
        mixinStandardHelpOptions = true,
        description = {
            "The same stock in a SQL database, sold by four processes in eight ways; then again while a seller is killed, and"
                    + " while one is stopped. About a minute.",
            "Exit code 1 if a way oversold where it is safe, 2 if the command line is wrong, 3 if the sale could not be held."
        })
final class FlashSaleCommand implements Callable<Integer> {

    static final int OVERSOLD = 1;
    static final int WRONG_USE = 2;
    static final int FAILED = 3;

    private static final String NO_REDIS = "was left out: there is no redis-server on the PATH, and --redis names none";

    @Option(
            names = "--on",
            paramLabel = "URL",
            description =
                    "The database, as in jdbc:postgresql://localhost/shop?user=shop&password=secret. Its tables are"
                            + " made and removed again. Default: an H2 in memory, started here.")
    @Nullable
    String url;

    @Option(
            names = "--redis",
            paramLabel = "URL",
            description = "A Redis, as in redis://localhost. Default: one is started if redis-server is on the PATH.")
    @Nullable
    String redis;

    @Option(names = "--quick", description = "A tenth of the stock.")
    boolean quick;

    @Option(names = "--replace", description = "Drops tables of the same names first.")
    boolean replace;

    @Option(
            names = "--scenes",
            split = ",",
            paramLabel = "SCENE",
            description = "Which of ${COMPLETION-CANDIDATES}. Default: all.")
    List<Scene> scenes = List.of(Scene.values());

    @Option(
            names = "--ways",
            split = ",",
            paramLabel = "WAY",
            description = "Which of ${COMPLETION-CANDIDATES}. Default: all.")
    List<Way> ways = List.of(Way.values());

    @Option(names = "--chart", paramLabel = "FILE", description = "Where the picture goes. Default: ${DEFAULT-VALUE}.")
    Path chart = Path.of(System.getProperty("flashsale.home", ""), "flash-sale.svg");

    @Spec
    CommandSpec spec;

    /** What sellers do in place of a way; a test leaves a lock out to see that it is noticed. */
    private final Map<Way, Way> planted;

    FlashSaleCommand(Map<Way, Way> planted) {
        this.planted = planted;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            return hold(out);
        } catch (UsageException e) {
            err.println("flash-sale: " + e.getMessage());
            return WRONG_USE;
        } catch (SQLException | LockkeeperException | IOException e) {
            err.println("flash-sale: " + e.getMessage());
            return FAILED;
        }
    }

    private int hold(PrintWriter out) throws SQLException, IOException {
        if (url != null) {
            check(url);
        }
        try (H2Server own = url == null ? H2Server.start() : null) {
            String database = own == null ? String.valueOf(url) : own.url();
            try (Shop shop = Shop.open(database, replace);
                    RedisProcess started = redis == null && ways.contains(Way.REDIS) ? started() : null) {
                String locks = redis != null ? redis : started != null ? started.url() : "";
                if (redis != null) {
                    Lockkeeper.connect(redis).close(); // If that fails, it says why, once and not from each seller.
                }
                return hold(out, database, locks, shop);
            }
        }
    }

    private static @Nullable RedisProcess started() throws IOException {
        Optional<Path> program = RedisProcess.program();
        return program.isPresent() ? RedisProcess.start(program.get()) : null;
    }

    private static void check(String url) {
        String begin = url.toLowerCase(Locale.ROOT);
        if (!begin.startsWith("jdbc:")) {
            throw new UsageException("--on needs a URL that begins with jdbc:, as in jdbc:postgresql://localhost/shop");
        }
        if (begin.startsWith("jdbc:h2:mem:")) {
            throw new UsageException(
                    "That database lives inside one process, and the sale needs several; leave --on out,"
                            + " and an H2 is started that all of them reach");
        }
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new UsageException("There is no driver here for that database; use PostgreSQL, MariaDB or H2");
        }
    }

    private int hold(PrintWriter out, String database, String locks, Shop shop) throws SQLException, IOException {
        Load load = quick ? Load.QUICK : Load.FULL;
        List<String> missing = new ArrayList<>();
        List<Way> here = new ArrayList<>(ways);
        if (locks.isEmpty() && here.remove(Way.REDIS)) {
            missing.add("'" + Way.REDIS.title() + "' " + NO_REDIS);
        }
        out.printf(
                Locale.ROOT,
                "A flash sale on %s: %d processes with %d clerks each. A sale reads the stock, takes %d ms, and writes the"
                        + " stock and an order.%n%n",
                shop.database(),
                Load.PROCESSES,
                load.clerks(),
                load.think().toMillis());
        long begin = System.nanoTime();
        List<Result> all = new ArrayList<>();
        try (Sale sale = new Sale(database, locks, load, shop, out)) {
            out.println("Starting the processes, and a sale to warm up:");
            sale.warmUp();
            for (Scene scene : scenes) {
                out.printf("%n%d pieces; %s:%n", load.itemsIn(scene), scene.title());
                List<Result> results = new ArrayList<>();
                for (Way way : here) {
                    results.add(sale.play(way, planted.getOrDefault(way, way), scene));
                }
                out.println();
                out.print(Report.table(results, missing));
                out.flush();
                all.addAll(results);
            }
        }
        return conclude(out, shop.database(), all, Duration.ofNanos(System.nanoTime() - begin));
    }

    private int conclude(PrintWriter out, String database, List<Result> results, Duration took) throws IOException {
        Path folder = chart.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(chart, Chart.of(database, results));
        out.println();
        List<String> complaints = results.stream()
                .map(Result::complaint)
                .filter(text -> !text.isEmpty())
                .toList();
        if (complaints.isEmpty()) {
            out.println("Nothing was sold twice by a way that is safe in its scene.");
        }
        complaints.forEach(text -> out.println("FAILED: " + text + "."));
        out.printf("The chart is %s (%d s).%n", chart, took.toSeconds());
        out.flush();
        return complaints.isEmpty() ? 0 : OVERSOLD;
    }
}
