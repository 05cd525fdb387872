package io.lockkeeper.etcd;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A keeper that only records what it is told. */
final class TestKeeper implements Keeper {

    /** A claim whose grant another keeper wants. */
    record Asked(Resource resource, String claimId) {}

    private final String id;
    private final Duration lease;
    final Queue<Resource> signals = new ConcurrentLinkedQueue<>();
    final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    volatile boolean known = true;
    volatile Clocks clocks = Clocks.system();
    final AtomicInteger signalledAll = new AtomicInteger();

    TestKeeper(String id) {
        this(id, Duration.ofSeconds(30));
    }

    TestKeeper(String id, Duration lease) {
        this.id = id;
        this.lease = lease;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public HolderInfo holder() {
        return new HolderInfo(id, "host", 7, "");
    }

    @Override
    public Duration lease() {
        return lease;
    }

    @Override
    public Duration commandTimeout() {
        return Duration.ofSeconds(10);
    }

    @Override
    public Clocks clocks() {
        return clocks;
    }

    @Override
    public void signal(Resource resource) {
        signals.add(resource);
    }

    @Override
    public void recall(Resource resource, String claimId) {
        asked.add(new Asked(resource, claimId));
    }

    @Override
    public void signalAll() {
        signalledAll.incrementAndGet();
    }

    @Override
    public boolean knows(Resource resource, String claimId) {
        return known;
    }
}
