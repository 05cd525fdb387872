package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Plan;
import io.lockkeeper.faults.drive.Site;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The stores that can be named on the command line. */
public final class Sites {

    private interface Opening {
        Site open(Path folder, Plan plan);
    }

    private static final Map<String, Opening> ALL = new LinkedHashMap<>();

    static {
        ALL.put("file", (folder, plan) -> new FileSite(folder.resolve("store")));
        ALL.put("redis", (folder, plan) -> new RedisSite(plan.clients()));
        ALL.put("redis-sentinel", (folder, plan) -> new SentinelSite());
        ALL.put("redis-cluster", (folder, plan) -> new ClusterSite());
        ALL.put("redlock", (folder, plan) -> new RedlockSite(plan.clients(), plan.lease()));
        ALL.put("postgresql", (folder, plan) -> SqlSite.postgresql(plan.clients()));
        ALL.put("zookeeper", (folder, plan) -> new ZookeeperSite(plan.clients()));
        ALL.put("etcd", (folder, plan) -> new EtcdSite(plan.clients()));
        ALL.put("etcd-cluster", (folder, plan) -> new EtcdClusterSite(plan.clients()));
        ALL.put("mariadb", (folder, plan) -> SqlSite.mariaDb(plan.clients()));
    }

    private Sites() {}

    public static Set<String> names() {
        return ALL.keySet();
    }

    /** @param folder for what its servers write */
    public static Site open(String name, Path folder, Plan plan) {
        Opening opening = ALL.get(name);
        if (opening == null) {
            throw new IllegalArgumentException(
                    "There is no store '" + name + "' here; name one of " + String.join(", ", names()));
        }
        return opening.open(folder, plan);
    }
}
