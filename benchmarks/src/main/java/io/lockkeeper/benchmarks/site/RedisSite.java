package io.lockkeeper.benchmarks.site;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One Redis server without persistence. */
final class RedisSite implements Site {

    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "eval_ro", "evalsha_ro", "fcall");

    /** The number of names in one script, which nobody else can interrupt. */
    private static final int AT_ONCE = 2_000;

    private static final String MULTIPLY = """
            for number = ARGV[3], ARGV[4] do
              for _, key in ipairs(KEYS) do
                local from, to = string.find(key, ARGV[1], 1, true)
                local copy = string.sub(key, 1, from - 1) .. ARGV[2] .. string.format('%d', number) .. string.sub(key, to + 1)
                redis.call('COPY', key, copy)
              end
            end
            """;

    private final RedisServer server = RedisServer.start();
    private final List<FaultProxy> proxies = new ArrayList<>();

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public String version() {
        Map<String, String> info = server.info("server");
        return "Redis " + info.get("redis_version");
    }

    @Override
    public Site delayed(Duration delay) {
        FaultProxy proxy = FaultProxy.to(server.port()).toClient(FaultProxy.Rule.delay(delay));
        proxies.add(proxy);
        return new Behind(this, "redis://127.0.0.1:" + proxy.port());
    }

    @Override
    public long scripts() {
        return server.commandStats().entrySet().stream()
                .filter(command -> SCRIPTS.contains(command.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    @Override
    public Tally tally() {
        return new MonitorTally(server.port());
    }

    @Override
    public int connections() {
        return Integer.parseInt(server.info("clients").getOrDefault("connected_clients", "1")) - 1;
    }

    @Override
    public Duration cpu() {
        Map<String, String> info = server.info("cpu");
        double seconds = Double.parseDouble(info.getOrDefault("used_cpu_user", "0"))
                + Double.parseDouble(info.getOrDefault("used_cpu_sys", "0"));
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    @Override
    public void clear() {
        server.command("FLUSHALL", "ASYNC");
    }

    @Override
    public void multiply(String name, String further, int count) {
        Object keys = server.command("KEYS", "*" + name + "*");
        if (!(keys instanceof List<?> list) || list.isEmpty()) {
            return;
        }
        for (int from = 0; from < count; from += AT_ONCE) {
            List<String> words = new ArrayList<>(List.of("EVAL", MULTIPLY, Integer.toString(list.size())));
            list.forEach(key -> words.add(String.valueOf(key)));
            words.addAll(List.of(
                    name, further, Integer.toString(from), Integer.toString(Math.min(count, from + AT_ONCE) - 1)));
            server.command(words.toArray(String[]::new));
        }
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        server.close();
    }
}
