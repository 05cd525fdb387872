package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store at the other end of a {@link Network}. */
final class FaultyStore implements Store {

    private final Store inner;
    private final Network network;
    private final Duration limit;
    private final Clocks clocks;

    FaultyStore(Store inner, Network network, Keeper keeper) {
        this.inner = inner;
        this.network = network;
        this.limit = keeper.commandLimit();
        this.clocks = keeper.clocks();
    }

    @Override
    public Answer attempt(Claim claim) {
        return send(Call.ATTEMPT, claim.limit(), () -> inner.attempt(claim));
    }

    @Override
    public Release.Outcome release(Release release) {
        return send(Call.RELEASE, release.limit(), () -> inner.release(release));
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration limit) {
        return send(Call.RENEW, limit, () -> inner.renew(held, limit));
    }

    @Override
    public Renewal raise(Claim held, long token, Duration limit) {
        return send(Call.RENEW, limit, () -> inner.raise(held, token, limit));
    }

    @Override
    public Renewal extend(Claim held, Duration limit) {
        return send(Call.RENEW, limit, () -> inner.extend(held, limit));
    }

    @Override
    public Duration uptime() {
        return send(Call.INSPECT, limit, inner::uptime);
    }

    @Override
    public String node(Resource resource) {
        return inner.node(resource);
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return send(Call.NARROW, held.limit(), () -> inner.narrow(held, to));
    }

    @Override
    public Optional<ResourceState> inspect(Resource resource) {
        return send(Call.INSPECT, limit, () -> inner.inspect(resource));
    }

    @Override
    public List<ResourceState> list(String prefix) {
        return send(Call.LIST, limit, () -> inner.list(prefix));
    }

    @Override
    public boolean forceRelease(Resource resource) {
        return send(Call.FORCE_RELEASE, limit, () -> inner.forceRelease(resource));
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        this.<Boolean>send(Call.RESIZE, limit, () -> {
            inner.resize(semaphore, permits);
            return true;
        });
    }

    @Override
    public @Nullable SizeStore sizes() {
        SizeStore sizes = inner.sizes();
        return sizes == null ? null : new FaultySizes(sizes, network, limit, clocks);
    }

    @Override
    public @Nullable LatchStore latches() {
        LatchStore latches = inner.latches();
        return latches == null ? null : new FaultyLatches(latches, network, limit, clocks);
    }

    @Override
    public String storeId() {
        return send(Call.STORE_ID, limit, inner::storeId);
    }

    private <T> T send(Call kind, Duration patience, Supplier<T> request) {
        return network.send(kind, patience, clocks, request);
    }

    @Override
    public void close() {
        inner.close();
    }
}
