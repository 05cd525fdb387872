package io.lockkeeper.benchmarks.site;

import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.etcd.EtcdServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One etcd server that waits for the disk at each write. */
final class EtcdSite implements Site {

    private final EtcdServer server = EtcdServer.options().durable().start();
    private final List<FaultProxy> proxies = new ArrayList<>();

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public String version() {
        return "etcd " + server.version();
    }

    @Override
    public Site delayed(Duration delay) {
        FaultProxy proxy = FaultProxy.to(server.port()).toClient(FaultProxy.Rule.delay(delay));
        proxies.add(proxy);
        return new Behind(this, "etcd://127.0.0.1:" + proxy.port());
    }

    @Override
    public long scripts() {
        return 0;
    }

    @Override
    public Tally tally() {
        long before = server.metrics().requests();
        return new Tally() {
            @Override
            public long count() {
                return server.metrics().requests() - before;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public int connections() {
        return server.connections();
    }

    @Override
    public Duration cpu() {
        return ProcessHandle.of(server.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /** Names differ from scenario to scenario, and a name that was used costs others nothing. */
    @Override
    public void clear() {}

    @Override
    public void multiply(String name, String further, int count) {
        throw new IllegalStateException("Keys are not multiplied");
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        server.close();
    }
}
