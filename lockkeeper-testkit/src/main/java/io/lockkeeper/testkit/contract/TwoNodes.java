package io.lockkeeper.testkit.contract;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
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
import io.lockkeeper.testkit.FaultyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A store as two nodes, each behind a network of its own, like the shards of a cluster. Names that begin with {@code bad/}
 * live on the node that a case breaks, all others on the good one. Single resources can be poisoned: their renewals fail.
 */
final class TwoNodes implements Backend {

    private final FaultyBackend bad;
    private final FaultyBackend good;
    private final Set<Resource> poisoned = ConcurrentHashMap.newKeySet();

    TwoNodes(Backend store) {
        bad = new FaultyBackend(store);
        good = new FaultyBackend(store);
    }

    FaultyBackend bad() {
        return bad;
    }

    void poison(Resource resource) {
        poisoned.add(resource);
    }

    @Override
    public String describe() {
        return good.describe();
    }

    @Override
    public Set<Capability> capabilities() {
        return good.capabilities();
    }

    @Override
    public Duration longestLease() {
        return good.longestLease();
    }

    @Override
    public Store open(Keeper keeper) {
        return new Both(good.open(keeper), bad.open(keeper));
    }

    @Override
    public void close() {
        bad.close();
        good.close();
    }

    private final class Both
            implements Store,
                    NarrowingStore,
                    SemaphoreStore,
                    LatchStore,
                    ForceReleaseStore,
                    ExtendingStore,
                    ExchangeStore,
                    MemberStore {
        private final Store healthy;
        private final Store broken;

        Both(Store healthy, Store broken) {
            this.healthy = healthy;
            this.broken = broken;
        }

        private Store of(Resource resource) {
            return node(resource).equals("bad") ? broken : healthy;
        }

        @Override
        public String node(Resource resource) {
            return resource.name().startsWith("bad/") ? "bad" : "good";
        }

        @Override
        public Answer attempt(Claim claim) {
            return of(claim.resource()).attempt(claim);
        }

        @Override
        public Release.Outcome release(Release release) {
            return of(release.resource()).release(release);
        }

        @Override
        public List<Renewal> renew(List<Claim> held, Duration limit) {
            if (held.isEmpty()) {
                return List.of();
            }
            List<Renewal> answers = new ArrayList<>(of(held.get(0).resource()).renew(held, limit));
            for (int i = 0; i < answers.size(); i++) {
                if (poisoned.contains(held.get(i).resource())) {
                    answers.set(i, new Renewal.Unknown(new StoreUnavailableException("a key of another type")));
                }
            }
            return answers;
        }

        @Override
        public boolean narrow(Claim held, Mode to) {
            return of(held.resource(), NarrowingStore.class).narrow(held, to);
        }

        @Override
        public Optional<ResourceState> inspect(Resource resource) {
            return of(resource).inspect(resource);
        }

        @Override
        public List<ResourceState> list(String prefix) {
            return healthy.list(prefix);
        }

        @Override
        public boolean forceRelease(Resource resource) {
            return of(resource, ForceReleaseStore.class).forceRelease(resource);
        }

        @Override
        public void resize(Resource semaphore, int permits) {
            of(semaphore, SemaphoreStore.class).resize(semaphore, permits);
        }

        @Override
        public Renewal extend(Claim held, Duration limit) {
            return of(held.resource(), ExtendingStore.class).extend(held, limit);
        }

        @Override
        public Exchanged exchange(Release release, Claim next) {
            return of(release.resource(), ExchangeStore.class).exchange(release, next);
        }

        @Override
        public Renewal raise(Claim held, long token, Duration limit) {
            return of(held.resource(), MemberStore.class).raise(held, token, limit);
        }

        @Override
        public Duration uptime() {
            return StoreAbility.of(healthy, MemberStore.class).uptime();
        }

        @Override
        public State state(Resource latch, boolean wake) {
            return of(latch, LatchStore.class).state(latch, wake);
        }

        @Override
        public boolean set(Resource latch, String operation, int count) {
            return of(latch, LatchStore.class).set(latch, operation, count);
        }

        @Override
        public boolean countDown(Resource latch, long generation, String operation) {
            return of(latch, LatchStore.class).countDown(latch, generation, operation);
        }

        @Override
        public void delete(Resource latch, long generation) {
            of(latch, LatchStore.class).delete(latch, generation);
        }

        @Override
        public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
            if (type == SizeStore.class) {
                return healthy.ability(type);
            }
            return healthy.ability(type) == null ? null : type.cast(this);
        }

        private <A extends StoreAbility> A of(Resource resource, Class<A> type) {
            return StoreAbility.of(of(resource), type);
        }

        @Override
        public String storeId() {
            return healthy.storeId();
        }

        @Override
        public void close() {
            healthy.close();
            broken.close();
        }
    }
}
