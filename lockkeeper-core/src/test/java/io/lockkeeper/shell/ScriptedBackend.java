package io.lockkeeper.shell;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.memory.MemoryBackend;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A memory store whose answers a test may change: each hook sees a request and the way to have it executed. */
final class ScriptedBackend implements Backend {

    /** What becomes of one kind of request. */
    interface Hook<Q, A> {
        A on(Q request, Function<Q, A> store);

        static <Q, A> Hook<Q, A> none() {
            return (request, store) -> store.apply(request);
        }
    }

    private final MemoryBackend memory;
    volatile Hook<Claim, Answer> attempt = Hook.none();
    volatile Hook<Release, Release.Outcome> release = Hook.none();
    volatile Hook<List<Claim>, List<Renewal>> renew = Hook.none();
    volatile Hook<Claim, Boolean> narrow = Hook.none();
    volatile Hook<Claim, Renewal> extend = Hook.none();
    volatile UnaryOperator<LatchStore> latches = UnaryOperator.identity();
    volatile Runnable exchanging = () -> {};
    volatile UnaryOperator<Exchanged> exchanged = UnaryOperator.identity();
    /** Is told of the limit of each renewal. */
    volatile Consumer<Duration> renewing = limit -> {};

    volatile UnaryOperator<String> storeId = UnaryOperator.identity();

    ScriptedBackend() {
        this(MemoryBackend.create());
    }

    ScriptedBackend(MemoryBackend memory) {
        this.memory = memory;
    }

    MemoryBackend memory() {
        return memory;
    }

    @Override
    public String describe() {
        return memory.describe();
    }

    @Override
    public Set<Capability> capabilities() {
        return memory.capabilities();
    }

    @Override
    public Store open(Keeper keeper) {
        return new Scripted(memory.open(keeper));
    }

    @Override
    public void close() {
        memory.close();
    }

    private final class Scripted
            implements Store,
                    NarrowingStore,
                    SemaphoreStore,
                    ForceReleaseStore,
                    ExtendingStore,
                    ExchangeStore,
                    MemberStore {
        private final Store store;

        Scripted(Store store) {
            this.store = store;
        }

        @Override
        public Answer attempt(Claim claim) {
            return attempt.on(claim, store::attempt);
        }

        @Override
        public Release.Outcome release(Release request) {
            return release.on(request, store::release);
        }

        @Override
        public Exchanged exchange(Release request, Claim next) {
            exchanging.run();
            return exchanged.apply(ExchangeStore.inTwoRequests(this, request, next));
        }

        @Override
        public List<Renewal> renew(List<Claim> held, Duration limit) {
            renewing.accept(limit);
            return renew.on(held, claims -> store.renew(claims, limit));
        }

        @Override
        public boolean narrow(Claim held, Mode to) {
            return narrow.on(
                    held, claim -> StoreAbility.of(store, NarrowingStore.class).narrow(claim, to));
        }

        @Override
        public Optional<ResourceState> inspect(Resource resource) {
            return store.inspect(resource);
        }

        @Override
        public List<ResourceState> list(String prefix) {
            return store.list(prefix);
        }

        @Override
        public boolean forceRelease(Resource resource) {
            return StoreAbility.of(store, ForceReleaseStore.class).forceRelease(resource);
        }

        @Override
        public void resize(Resource semaphore, int permits) {
            StoreAbility.of(store, SemaphoreStore.class).resize(semaphore, permits);
        }

        @Override
        public Renewal extend(Claim held, Duration limit) {
            return extend.on(
                    held, claim -> StoreAbility.of(store, ExtendingStore.class).extend(claim, limit));
        }

        @Override
        public Renewal raise(Claim held, long token, Duration limit) {
            return StoreAbility.of(store, MemberStore.class).raise(held, token, limit);
        }

        @Override
        public Duration uptime() {
            return StoreAbility.of(store, MemberStore.class).uptime();
        }

        @Override
        public <A extends StoreAbility> @Nullable A ability(Class<A> type) {
            if (type == SizeStore.class) {
                return store.ability(type);
            }
            return type == LatchStore.class
                    ? type.cast(latches.apply(StoreAbility.of(store, LatchStore.class)))
                    : Store.super.ability(type);
        }

        @Override
        public String storeId() {
            return storeId.apply(store.storeId());
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
