package io.lockkeeper.benchmarks.site;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.sql.PostgresServer;
import io.lockkeeper.testkit.sql.SqlDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One PostgreSQL server that waits for the disk at each commit, with the tables of all libraries. */
final class PostgresSite implements Site {

    private final PostgresServer server =
            PostgresServer.options().fsync(true).set("autovacuum", "on").start();
    private final SqlDatabase database = server.createDatabase();
    private final List<FaultProxy> proxies = new ArrayList<>();

    PostgresSite() {
        Lockkeeper.connect(database.with("lockkeeper.createTables", "true").fullUrl())
                .close();
        database.execute(
                "CREATE TABLE shedlock (name varchar(64) PRIMARY KEY, lock_until timestamp NOT NULL,"
                        + " locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL)",
                "CREATE TABLE int_lock (lock_key char(36), region varchar(100), client_id char(36),"
                        + " created_date timestamp NOT NULL, expired_after timestamp NOT NULL,"
                        + " PRIMARY KEY (lock_key, region))",
                "CREATE TABLE raw_lock (name text PRIMARY KEY, owner text, expires_at timestamptz NOT NULL)");
    }

    @Override
    public String url() {
        return database.fullUrl();
    }

    @Override
    public String version() {
        return "PostgreSQL " + server.admin().value("SHOW server_version");
    }

    @Override
    public Site delayed(Duration delay) {
        FaultProxy proxy = FaultProxy.to(server.port()).toClient(FaultProxy.Rule.delay(delay));
        proxies.add(proxy);
        return new Behind(this, url().replace(":" + server.port() + "/", ":" + proxy.port() + "/"));
    }

    @Override
    public long scripts() {
        return 0;
    }

    /** The server tells how many statements it got a second later only. */
    @Override
    public Tally tally() {
        return new Tally() {
            @Override
            public long count() {
                return UNKNOWN;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public int connections() {
        return (int) server.admin()
                .number("SELECT count(*) FROM pg_stat_activity WHERE datname = '" + database.name() + "'");
    }

    @Override
    public Duration cpu() {
        Duration sum = Duration.ZERO;
        for (long pid : server.pids()) {
            sum = sum.plus(ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .orElse(Duration.ZERO));
        }
        return sum;
    }

    /** Names differ from scenario to scenario, and a name that was used costs others nothing. */
    @Override
    public void clear() {}

    @Override
    public void multiply(String name, String further, int count) {
        throw new IllegalStateException("Rows are not multiplied");
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        server.close();
    }
}
