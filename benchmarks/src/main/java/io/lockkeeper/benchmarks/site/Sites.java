package io.lockkeeper.benchmarks.site;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The stores of a run by the id of their backend, each started when it is first needed. */
public final class Sites implements AutoCloseable {

    private static final Map<String, Supplier<Site>> STARTS = Map.of(
            "redis",
            RedisSite::new,
            "postgresql",
            PostgresSite::new,
            "zookeeper",
            ZookeeperSite::new,
            "etcd",
            EtcdSite::new,
            "folder",
            FolderSite::new,
            "none",
            FolderSite::new);

    private final Map<String, Site> started = new LinkedHashMap<>();

    public Site of(String backend) {
        return started.computeIfAbsent(backend, id -> {
            Supplier<Site> start = STARTS.get(id);
            if (start == null) {
                throw new IllegalArgumentException("There is no backend \"" + id + "\"");
            }
            return start.get();
        });
    }

    /** Of those that were started. */
    public String versions() {
        return started.values().stream().map(Site::version).distinct().collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        started.values().forEach(Site::close);
    }
}
