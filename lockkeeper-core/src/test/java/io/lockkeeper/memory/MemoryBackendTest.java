package io.lockkeeper.memory;

import static io.lockkeeper.line.Claims.LOCK;
import static io.lockkeeper.line.Claims.exclusive;
import static io.lockkeeper.line.Claims.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Moment;
import io.lockkeeper.spi.Release.Outcome;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryBackendTest {

    private static final class RecordingKeeper implements Keeper {
        private final String id;
        final List<Resource> signals = new ArrayList<>();

        RecordingKeeper(String id) {
            this.id = id;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public HolderInfo holder() {
            return new HolderInfo(id, "host", 1, "");
        }

        @Override
        public Duration lease() {
            return Duration.ofSeconds(30);
        }

        @Override
        public Duration commandTimeout() {
            return Duration.ofSeconds(1);
        }

        @Override
        public Clocks clocks() {
            return Clocks.system();
        }

        @Override
        public void signal(Resource resource) {
            signals.add(resource);
        }

        @Override
        public void signalAll() {}

        @Override
        public boolean knows(Resource resource, String claimId) {
            return true;
        }
    }

    private final AtomicLong time = new AtomicLong();
    private final MemoryBackend backend = MemoryBackend.create(() -> new Moment(time.get(), 0));
    private final RecordingKeeper a = new RecordingKeeper("A");
    private final RecordingKeeper b = new RecordingKeeper("B");
    private final Store storeA = backend.open(a);
    private final Store storeB = backend.open(b);

    @Test
    void keepersOfOneBackendExcludeEachOtherAndAreSignalled() {
        assertThat(storeA.attempt(exclusive("a1"))).isInstanceOf(Answer.Granted.class);
        assertThat(storeB.attempt(exclusive("b1"))).isInstanceOf(Answer.Wait.class);
        assertThat(storeA.release(release(exclusive("a1"), false))).isEqualTo(Outcome.RELEASED);
        assertThat(b.signals).containsExactly(LOCK);
        assertThat(a.signals).isEmpty();
        assertThat(storeB.attempt(exclusive("b1"))).isInstanceOf(Answer.Granted.class);
        assertThat(storeA.storeId()).isEqualTo(storeB.storeId());
    }

    @Test
    void leasesEndByTheClockItWasGiven() {
        storeA.attempt(exclusive("a1"));
        time.set(Duration.ofSeconds(30).toNanos() - 1);
        assertThat(storeB.attempt(exclusive("b1"))).isInstanceOf(Answer.Wait.class);
        time.addAndGet(1);
        assertThat(storeB.attempt(exclusive("b1"))).isInstanceOf(Answer.Granted.class);
    }

    @Test
    void faultsStopRequestsOrLoseReplies() {
        backend.faults().failing(MemoryFaults.Fault.BEFORE);
        assertThatThrownBy(() -> storeA.attempt(exclusive("a1"))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> backend.open(a)).isInstanceOf(StoreUnavailableException.class);
        backend.faults().failing(MemoryFaults.Fault.NONE);
        assertThat(storeB.inspect(LOCK)).isEmpty();
        backend.faults().failing(MemoryFaults.Fault.AFTER);
        assertThatThrownBy(() -> storeA.attempt(exclusive("a1"))).isInstanceOf(StoreUnavailableException.class);
        backend.faults().failing(MemoryFaults.Fault.NONE);
        assertThat(storeB.inspect(LOCK)).isPresent();
        assertThat(storeB.attempt(exclusive("b1"))).isInstanceOf(Answer.Wait.class);
        backend.faults().dropSignals(true);
        storeA.release(release(exclusive("a1"), false));
        assertThat(b.signals).isEmpty();
        backend.faults().dropSignals(false);
        storeB.attempt(exclusive("b1"));
        backend.faults().loseGrants();
        assertThat(storeA.attempt(exclusive("a2"))).isInstanceOf(Answer.Granted.class);
        storeA.release(release(exclusive("a2"), false));
        assertThat(backend.names()).isZero();
    }

    @Test
    void aClosedStoreIsSignalledNoMore() {
        storeA.attempt(exclusive("a1"));
        storeB.attempt(exclusive("b1"));
        storeB.close();
        storeA.release(release(exclusive("a1"), false));
        assertThat(b.signals).isEmpty();
    }

    @Test
    void urlsNameFreshOrSharedStores() {
        BackendProvider provider = ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> p.schemes().contains("memory"))
                .findFirst()
                .orElseThrow();
        assertThat(provider.create("memory:")).isNotSameAs(provider.create("memory:"));
        String url = "memory:" + UUID.randomUUID();
        Backend shared = provider.create(url);
        assertThat(shared).isSameAs(provider.create(url));
        assertThat(shared.describe()).isEqualTo(url);
        assertThat(shared.capabilities()).containsExactlyInAnyOrder(Capability.values());
        assertThatThrownBy(() -> provider.create("redis:x")).hasMessageContaining("memory:name");
        assertThatThrownBy(() -> MemoryBackend.named("")).hasMessageContaining("empty");
    }
}
