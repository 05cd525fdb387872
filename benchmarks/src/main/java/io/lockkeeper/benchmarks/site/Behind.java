package io.lockkeeper.benchmarks.site;

import java.time.Duration;

/** A store by another way. */
record Behind(Site site, String url) implements Site {

    @Override
    public String version() {
        return site.version();
    }

    @Override
    public Site delayed(Duration delay) {
        return site.delayed(delay);
    }

    @Override
    public long scripts() {
        return site.scripts();
    }

    @Override
    public Tally tally() {
        return site.tally();
    }

    @Override
    public int connections() {
        return site.connections();
    }

    @Override
    public Duration cpu() {
        return site.cpu();
    }

    @Override
    public void clear() {
        site.clear();
    }

    @Override
    public void multiply(String name, String further, int count) {
        site.multiply(name, further, count);
    }

    @Override
    public void close() {}
}
