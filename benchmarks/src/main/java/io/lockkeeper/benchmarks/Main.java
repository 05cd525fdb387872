package io.lockkeeper.benchmarks;

import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Lockkeeper, Redisson and raw Jedis on one Redis server that it starts itself. The peers take turns, round by round; the
 * first round is thrown away, of the others the median counts.
 */
public final class Main {

    private record Scenario(String title, Round round) {}

    private static final List<Scenario> SCENARIOS = List.of(
            new Scenario("1 thread, own name", new Round(1, false, Duration.ZERO)),
            new Scenario("64 threads, own names", new Round(64, false, Duration.ZERO)),
            new Scenario("16 threads, one name", new Round(16, true, Duration.ZERO)),
            new Scenario("16 threads, one name, 1 ms of work", new Round(16, true, Duration.ofMillis(1))));

    private Main() {}

    /** @param arguments rounds, and seconds for each */
    public static void main(String[] arguments) throws InterruptedException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        Duration time =
                Duration.ofMillis(arguments.length > 1 ? (long) (1000 * Double.parseDouble(arguments[1])) : 2000);
        try (RedisServer server = RedisServer.start();
                Peer ours = new LockkeeperPeer(server.url());
                Peer redisson = new RedissonPeer(server.url());
                Peer raw = new RawJedisPeer("127.0.0.1", server.port(), 64)) {
            System.out.printf("%-36s %-12s %12s %8s %8s%n", "", "", "pairs/s", "ratio", "least");
            for (Scenario scenario : SCENARIOS) {
                measure(scenario, List.of(ours, redisson, raw), rounds, time);
            }
        }
    }

    private static void measure(Scenario scenario, List<Peer> peers, int rounds, Duration time)
            throws InterruptedException {
        List<List<Round.Result>> results = new ArrayList<>();
        peers.forEach(peer -> results.add(new ArrayList<>()));
        for (int i = 0; i <= rounds; i++) {
            for (int p = 0; p < peers.size(); p++) {
                Round.Result result = scenario.round().run(peers.get(p), time);
                if (i > 0) {
                    results.get(p).add(result);
                }
            }
        }
        double ours = median(results.get(0), Round.Result::perSecond);
        for (int p = 0; p < peers.size(); p++) {
            double pairs = median(results.get(p), Round.Result::perSecond);
            System.out.printf(
                    Locale.ROOT,
                    "%-36s %-12s %,12.0f %8.2f %8.2f%n",
                    scenario.title(),
                    peers.get(p).name(),
                    pairs,
                    ours / pairs,
                    median(results.get(p), Round.Result::leastShare));
        }
    }

    private static double median(List<Round.Result> results, Function<Round.Result, Double> figure) {
        double[] sorted = results.stream().mapToDouble(figure::apply).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
