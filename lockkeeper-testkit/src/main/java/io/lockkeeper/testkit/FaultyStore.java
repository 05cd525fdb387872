package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store at the other end of a {@link Network}. */
final class FaultyStore implements Store {

    private final Store inner;
    private final Network network;
    private final Duration limit;

    FaultyStore(Store inner, Network network, Duration limit) {
        this.inner = inner;
        this.network = network;
        this.limit = limit;
    }

    @Override
    public Answer attempt(Claim claim) {
        return network.send(Call.ATTEMPT, claim.limit(), () -> inner.attempt(claim));
    }

    @Override
    public Release.Outcome release(Release release) {
        return network.send(Call.RELEASE, release.limit(), () -> inner.release(release));
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration limit) {
        return network.send(Call.RENEW, limit, () -> inner.renew(held, limit));
    }

    @Override
    public Renewal raise(Claim held, long token, Duration limit) {
        return network.send(Call.RENEW, limit, () -> inner.raise(held, token, limit));
    }

    @Override
    public Renewal extend(Claim held, Duration limit) {
        return network.send(Call.RENEW, limit, () -> inner.extend(held, limit));
    }

    @Override
    public Duration uptime() {
        return network.send(Call.INSPECT, limit, inner::uptime);
    }

    @Override
    public String node(Resource resource) {
        return inner.node(resource);
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return network.send(Call.NARROW, held.limit(), () -> inner.narrow(held, to));
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return network.send(Call.INSPECT, limit, () -> inner.inspect(resource));
    }

    @Override
    public List<ResourceState> list(String prefix) {
        return network.send(Call.LIST, limit, () -> inner.list(prefix));
    }

    @Override
    public boolean forceRelease(Resource resource) {
        return network.send(Call.FORCE_RELEASE, limit, () -> inner.forceRelease(resource));
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        network.<Boolean>send(Call.RESIZE, limit, () -> {
            inner.resize(semaphore, permits);
            return true;
        });
    }

    @Override
    public @Nullable LatchStore latches() {
        LatchStore latches = inner.latches();
        return latches == null ? null : new FaultyLatches(latches, network, limit);
    }

    @Override
    public String storeId() {
        return network.send(Call.STORE_ID, limit, inner::storeId);
    }

    @Override
    public void close() {
        inner.close();
    }
}
