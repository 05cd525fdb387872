package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.crew.Crew;
import io.lockkeeper.benchmarks.crew.Meter;
import io.lockkeeper.benchmarks.site.Site;
import java.time.Duration;

/** The processor time that both sides spend in a round. */
final class CpuMeter implements Meter {

    private final Crew crew;
    private final Site site;
    private Duration client = Duration.ZERO;
    private Duration server = Duration.ZERO;

    CpuMeter(Crew crew, Site site) {
        this.crew = crew;
        this.site = site;
    }

    @Override
    public void begin() {
        client = crew.cpu();
        server = site.cpu();
    }

    @Override
    public void end() {
        client = crew.cpu().minus(client);
        server = site.cpu().minus(server);
    }

    Duration client() {
        return client;
    }

    Duration server() {
        return server;
    }
}
