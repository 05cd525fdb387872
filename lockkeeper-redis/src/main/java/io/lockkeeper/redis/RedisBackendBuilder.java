package io.lockkeeper.redis;

import org.jspecify.annotations.Nullable;

/** Settings of a {@link RedisBackend}. */
public final class RedisBackendBuilder {

    private @Nullable String url;
    private String prefix = "lockkeeper";
    private int minReplicas;

    RedisBackendBuilder() {}

    /** Where it is. */
    public RedisBackendBuilder url(String address) {
        url = address;
        return this;
    }

    /**
     * What all keys and channels begin with: {@code lockkeeper}. Backends with different prefixes on one server know nothing
     * of each other.
     */
    public RedisBackendBuilder prefix(String begin) {
        prefix = begin;
        return this;
    }

    /**
     * How many replicas must have a grant before anybody gets it: 0. If fewer confirm it in time it is undone and refused. It
     * makes it less likely that a failover forgets a grant, not impossible.
     */
    public RedisBackendBuilder minReplicas(int replicas) {
        if (replicas < 0) {
            throw new IllegalArgumentException("minReplicas(" + replicas + ") makes no sense; use 0 or more");
        }
        minReplicas = replicas;
        return this;
    }

    /** Makes the backend. It connects when a keeper opens it. */
    public RedisBackend build() {
        if (url == null) {
            throw new IllegalArgumentException("No server is named; give a url, such as 'redis://localhost:6379'");
        }
        RedisUrl place = RedisUrl.parse(url);
        String begin = place.prefix();
        Keys keys = new Keys(begin == null ? prefix : begin);
        return new RedisBackend(Deployment.connect(place, null), keys, Math.max(minReplicas, place.minReplicas()));
    }
}
