package io.lockkeeper.file;

import static io.lockkeeper.file.Claims.granted;
import static io.lockkeeper.file.Claims.release;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A renewal reads the ledger while other processes write it. What it reads may be torn, or old: that is never a reason to tell a
 * holder of a loss.
 */
class TornReadTest {

    private static final Resource SEMAPHORE = new Resource(Family.SEMAPHORE, "sem");

    @TempDir
    Path folder;

    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>();

    private Store open() {
        return TornDisk.backend(folder, meanwhile).open(new TestKeeper("A"));
    }

    private static Claim permit() {
        return Claims.claim(SEMAPHORE, Mode.permits(1, 100), 1, Claim.Queueing.PLAIN);
    }

    private static List<Renewal> renewed(Store store, Claim claim) {
        return store.renew(List.of(claim), Claims.LIMIT);
    }

    /**
     * Twenty permits of a process that was killed make the list long; the next who comes makes it short. Two more writes
     * while it is read: the second is where the newest list was. The one before, without our permit, is intact.
     */
    @Test
    void aRenewalThatReadsALedgerWhileOthersWriteItIsNoLoss() throws Exception {
        try (Store store = open();
                StoreProgram others = new StoreProgram(folder.toString())) {
            try (Child killed = new Child(folder).ready()) {
                for (int i = 0; i < 20; i++) {
                    assertThat(killed.tell("try 1/100 sem")).isNotEqualTo("wait");
                }
                assertThat(killed.tell("try 80/100 sem")).isNotEqualTo("wait");
                killed.kill();
            }
            Claim mine = permit();
            granted(store, mine);
            try (Child other = new Child(folder).ready()) {
                meanwhile.set(() -> {
                    assertThat(other.tell("try 1/100 sem")).isNotEqualTo("wait");
                    assertThat(other.tell("release sem")).isEqualTo("RELEASED");
                });
                assertThat(renewed(store, mine)).allMatch(Renewal.Kept.class::isInstance);
            }
            assertThat(meanwhile).hasValue(null);
            assertThat(store.release(release(mine))).isEqualTo(Release.Outcome.RELEASED);
        }
    }

    /** As from a page that is older than the ledger: nothing in it is torn, and our grant is not there yet. */
    @Test
    void aRenewalThatReadsAnOldLedgerLooksAgainBeforeItTellsOfALoss() throws Exception {
        Path ledger = folder.resolve("semaphore/n-sem");
        AtomicReference<byte[]> old = new AtomicReference<>();
        HostSystem.Disk disk = (path, options) -> new OldPage(FileChannel.open(path, options), old);
        try (Store store = new FileBackend(
                        folder, null, new HostSystem(disk, HostSystem.real().boot()))
                .open(new TestKeeper("A"))) {
            Claim first = permit();
            granted(store, first);
            byte[] before = Files.readAllBytes(ledger);
            Claim mine = permit();
            granted(store, mine);
            old.set(before);
            assertThat(renewed(store, mine)).allMatch(Renewal.Kept.class::isInstance);
            assertThat(old).hasValue(null);
        }
    }

    /** The list of the newest root is written over while it is read, and an older one without our permit is intact. */
    @Test
    void aLookAtALedgerWhileOthersWriteItShowsNoOlderOne() throws Exception {
        try (Store store = open();
                Child killed = new Child(folder).ready()) {
            for (int i = 0; i < 20; i++) {
                assertThat(killed.tell("try 1/100 sem")).isNotEqualTo("wait");
            }
            assertThat(killed.tell("try 80/100 sem")).isNotEqualTo("wait");
            killed.kill();
            Claim mine = permit();
            granted(store, mine);
            try (Child other = new Child(folder).ready()) {
                meanwhile.set(() -> {
                    assertThat(other.tell("try 1/100 sem")).isNotEqualTo("wait");
                    assertThat(other.tell("release sem")).isEqualTo("RELEASED");
                });
                assertThat(store.inspect(SEMAPHORE))
                        .isPresent()
                        .get()
                        .satisfies(state -> assertThat(state.grants()).hasSize(1));
            }
            assertThat(meanwhile).hasValue(null);
        }
    }
}
