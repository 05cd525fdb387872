package io.lockkeeper.benchmarks.site;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.zookeeper.ZookeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One ZooKeeper server that does not wait for its disk. */
final class ZookeeperSite implements Site {

    private static final Pattern RECEIVED = Pattern.compile("Received: (\\d+)");
    private static final Pattern CONNECTIONS = Pattern.compile("Connections: (\\d+)");
    private static final Pattern VERSION = Pattern.compile("Zookeeper version: ([0-9.]+)");

    private final ZookeeperServer server = ZookeeperServer.start();
    private final List<FaultProxy> proxies = new ArrayList<>();

    private String told(Pattern what) {
        Matcher found = what.matcher(server.ask("srvr"));
        return found.find() ? found.group(1) : "0";
    }

    @Override
    public String url() {
        return "zk://" + server.address() + "/bench";
    }

    @Override
    public String version() {
        return "ZooKeeper " + told(VERSION);
    }

    @Override
    public Site delayed(Duration delay) {
        FaultProxy proxy = FaultProxy.to(server.port()).toClient(FaultProxy.Rule.delay(delay));
        proxies.add(proxy);
        return new Behind(this, "zk://127.0.0.1:" + proxy.port() + "/bench");
    }

    @Override
    public long scripts() {
        return 0;
    }

    /** The server counts requests by itself, pings and this question, too. */
    @Override
    public Tally tally() {
        long before = Long.parseLong(told(RECEIVED));
        return new Tally() {
            @Override
            public long count() {
                return Long.parseLong(told(RECEIVED)) - before - 1;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public int connections() {
        return Integer.parseInt(told(CONNECTIONS)) - 1;
    }

    @Override
    public Duration cpu() {
        return server.cpu();
    }

    /** Names differ from scenario to scenario, and a name that was used costs others nothing. */
    @Override
    public void clear() {}

    @Override
    public void multiply(String name, String further, int count) {
        throw new IllegalStateException("Nodes are not multiplied");
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        server.close();
    }
}
