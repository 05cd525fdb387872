package io.lockkeeper.testkit;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.ExchangeStore;
import io.lockkeeper.spi.Exchanged;
import io.lockkeeper.spi.ExtendingStore;
import io.lockkeeper.spi.ForceReleaseStore;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.MemberStore;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.NarrowingStore;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.SemaphoreStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store at the other end of a {@link Network}, with the abilities of that store. */
final class FaultyStore
        implements Store,
                NarrowingStore,
                SemaphoreStore,
                LatchStore,
                ForceReleaseStore,
                ExtendingStore,
                ExchangeStore,
                MemberStore {

    private final Store inner;
    private final Network network;
    private final Duration limit;
    private final Clocks clocks;

    FaultyStore(Store inner, Network network, Keeper keeper) {
        this.inner = inner;
        this.network = network;
        this.limit = keeper.commandTimeout();
        this.clocks = keeper.clocks();
    }

    @Override
    public Answer attempt(Claim claim) {
        return send(Call.ATTEMPT, claim.timeout(), () -> inner.attempt(claim));
    }

    @Override
    public Release.Outcome release(Release release) {
        return send(Call.RELEASE, release.timeout(), () -> inner.release(release));
    }

    /**
     * {@inheritDoc}
     *
     * <p>It is also a release and an attempt: faults that are set for these meet the half that they are about, as when a
     * connection breaks between the two.
     */
    @Override
    public Exchanged exchange(Release release, Claim next) {
        if (network.affects(Call.RELEASE, Call.ATTEMPT)) {
            return ExchangeStore.inTwoRequests(this, release, next);
        }
        network.counted(Call.RELEASE, Call.ATTEMPT);
        Exchanged exchanged = send(
                Call.EXCHANGE, release.timeout(), () -> of(ExchangeStore.class).exchange(release, next));
        if (exchanged.answer() == null || !network.losesSecondHalf()) {
            return exchanged;
        }
        return new Exchanged(
                exchanged.outcome(),
                exchanged.releaseFailure(),
                null,
                new StoreUnavailableException("The second reply to EXCHANGE was lost, as the test wants it"));
    }

    @Override
    public List<Renewal> renew(List<Claim> held, Duration limit) {
        return send(Call.RENEW, limit, () -> inner.renew(held, limit));
    }

    @Override
    public Renewal raise(Claim held, long token, Duration limit) {
        return send(Call.RENEW, limit, () -> of(MemberStore.class).raise(held, token, limit));
    }

    @Override
    public Renewal extend(Claim held, Duration limit) {
        return send(Call.RENEW, limit, () -> of(ExtendingStore.class).extend(held, limit));
    }

    @Override
    public Duration uptime() {
        return send(Call.INSPECT, limit, () -> of(MemberStore.class).uptime());
    }

    @Override
    public String node(Resource resource) {
        return inner.node(resource);
    }

    @Override
    public boolean isReachable() {
        return inner.isReachable();
    }

    @Override
    public boolean narrow(Claim held, Mode to) {
        return send(Call.NARROW, held.timeout(), () -> of(NarrowingStore.class).narrow(held, to));
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
        return send(Call.FORCE_RELEASE, limit, () -> of(ForceReleaseStore.class).forceRelease(resource));
    }

    @Override
    public void resize(Resource semaphore, int permits) {
        this.<Boolean>send(Call.RESIZE, limit, () -> {
            of(SemaphoreStore.class).resize(semaphore, permits);
            return true;
        });
    }

    @Override
    public State state(Resource latch, boolean wake) {
        return send(Call.LATCH, limit, () -> of(LatchStore.class).state(latch, wake));
    }

    @Override
    public boolean set(Resource latch, String operation, int count) {
        return send(Call.LATCH, limit, () -> of(LatchStore.class).set(latch, operation, count));
    }

    @Override
    public boolean countDown(Resource latch, long generation, String operation) {
        return send(Call.LATCH, limit, () -> of(LatchStore.class).countDown(latch, generation, operation));
    }

    @Override
    public void delete(Resource latch, long generation) {
        this.<Boolean>send(Call.LATCH, limit, () -> {
            of(LatchStore.class).delete(latch, generation);
            return true;
        });
    }

    @Override
    public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
        if (inner.ability(type) == null) {
            return null;
        }
        return type.cast(type == SizeStore.class ? new FaultySizes(of(SizeStore.class), network, limit, clocks) : this);
    }

    private <A extends StoreAbility> A of(Class<A> type) {
        return StoreAbility.of(inner, type);
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
