package io.lockkeeper.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Resource;
import io.lockkeeper.SingleHold;
import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a store learns of the keeper that opens it, and when the keeper looks at what the store can do. */
class KeeperSeenByStoreTest {

    /** A memory store that knows what it can do when it is open, as one that has to meet its server first. */
    private static final class Undecided implements Backend {

        private final MemoryBackend memory = MemoryBackend.create();
        private volatile @Nullable Keeper opener;

        @Override
        public String describe() {
            return memory.describe();
        }

        @Override
        public Set<Capability> capabilities() {
            return opener == null ? EnumSet.noneOf(Capability.class) : memory.capabilities();
        }

        @Override
        public Store open(Keeper keeper) {
            opener = keeper;
            return memory.open(keeper);
        }

        @Override
        public void close() {}
    }

    @Test
    void capabilitiesAreReadAfterTheStoreWasOpened() {
        KeeperCore core = new KeeperCore(new Undecided(), Settings.DEFAULT);
        try {
            assertThat(core.terms().canHandOff()).isTrue();
            assertThat(core.terms().exchanges()).isTrue();
            assertThat(core.terms().leases()).isTrue();
        } finally {
            core.close(true);
        }
    }

    @Test
    void theStoreKnowsTheLeaseOfItsKeeper() {
        Undecided backend = new Undecided();
        try (Lockkeeper keeper = LiveKeeper.open(backend, Settings.DEFAULT.withLease(Duration.ofSeconds(7)))) {
            assertThat(Objects.requireNonNull(backend.opener).lease()).isEqualTo(Duration.ofSeconds(7));
        }
    }

    @Test
    void aClaimIsKnownAtItsOwnResourceFromItsAttemptToItsRelease() throws Exception {
        AtomicReference<Claim> sent = new AtomicReference<>();
        ScriptedBackend backend = new ScriptedBackend();
        KeeperCore core = new KeeperCore(backend, Settings.DEFAULT);
        backend.attempt = (claim, store) -> {
            sent.set(claim);
            assertThat(core.knows(claim.resource(), claim.id())).isTrue();
            return store.apply(claim);
        };
        try (Lockkeeper keeper = new LiveKeeper(core, true)) {
            SingleHold hold = keeper.lock("orders/42").acquire();
            SingleHold beside = keeper.lock("orders/43").acquire();
            Claim claim = sent.get();
            assertThat(claim.resource().name()).isEqualTo("orders/43");
            assertThat(core.knows(claim.resource(), claim.id())).isTrue();
            assertThat(core.knows(new Resource(Family.LOCK, "orders/42"), claim.id()))
                    .as("at another resource")
                    .isFalse();
            hold.close();
            beside.close();
            assertThat(core.knows(claim.resource(), claim.id())).isFalse();
        }
    }
}
