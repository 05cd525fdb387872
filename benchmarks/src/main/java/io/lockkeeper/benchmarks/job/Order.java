package io.lockkeeper.benchmarks.job;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a process is to do in a round: a job and its settings, as one line of text. */
public record Order(String job, Map<String, String> settings) {

    public static Order of(String job) {
        return new Order(job, Map.of());
    }

    public Order with(String key, Object value) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(key, value.toString());
        return new Order(job, more);
    }

    public int number(String key, int otherwise) {
        String value = settings.get(key);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    public String text(String key, String otherwise) {
        return settings.getOrDefault(key, otherwise);
    }

    public int threads() {
        return number("threads", 1);
    }

    public String line() {
        return job
                + settings.entrySet().stream()
                        .map(entry -> " " + entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining());
    }

    public static Order parse(String line) {
        String[] words = line.split(" ");
        Order order = of(words[0]);
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            order = order.with(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return order;
    }
}
