package io.lockkeeper.file;

import static io.lockkeeper.file.Claims.LATCH;
import static io.lockkeeper.file.Claims.LOCK;
import static io.lockkeeper.file.Claims.acquire;
import static io.lockkeeper.file.Claims.exclusive;
import static io.lockkeeper.file.Claims.granted;
import static io.lockkeeper.file.Claims.permits;
import static io.lockkeeper.file.Claims.refused;
import static io.lockkeeper.file.Claims.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.LatchStore;
import io.lockkeeper.spi.SizeStore;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreAbility;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens never go down, whatever happens. */
class TokensTest {

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock();

    private Path ledger() {
        return folder.resolve("lock/n-orders%2f42");
    }

    private Store open(FileBackend backend) {
        return backend.open(new TestKeeper("A", clock, Claims.LIMIT));
    }

    private FileBackend bootedAs(String boot) {
        return new FileBackend(folder, null, new HostSystem(FileChannel::open, boot));
    }

    private static long pair(Store store) {
        Claim claim = exclusive();
        long token = granted(store, claim);
        store.release(release(claim));
        return token;
    }

    @Test
    void notWhenTheClockIsSetBack() {
        try (Store store = open(FileBackend.in(folder))) {
            long first = pair(store);
            clock.setBack(Duration.ofDays(400));
            assertThat(pair(store)).isEqualTo(first + 1);
        }
        try (Store store = open(FileBackend.in(folder))) {
            assertThat(pair(store)).isGreaterThan(1);
        }
    }

    @Test
    void notWhenThePowerFailsAndTheClockIsWrongAfterwards() throws IOException {
        long last = 0;
        byte[] onDisk;
        byte[] storeOnDisk;
        try (Store store = open(bootedAs("first"))) {
            pair(store);
            onDisk = Files.readAllBytes(ledger());
            storeOnDisk = Files.readAllBytes(folder.resolve("_store"));
            for (int i = 0; i < 50; i++) {
                clock.pass(Duration.ofNanos(1_000_000));
                last = pair(store);
            }
        }
        Files.write(ledger(), onDisk);
        Files.write(folder.resolve("_store"), storeOnDisk);
        clock.setBack(Duration.ofDays(400));
        try (Store store = open(bootedAs("second"))) {
            assertThat(pair(store)).isGreaterThan(last);
        }
    }

    @Test
    void notWhenThePowerFailureSpoiltAllButTheAnchor() throws IOException {
        long last;
        try (Store store = open(bootedAs("first"))) {
            last = pair(store);
            granted(store, permits(1, 3));
        }
        spoil(ledger());
        spoil(folder.resolve("semaphore/n-printers"));
        try (Store store = open(bootedAs("first"))) {
            assertThat(refused(store, exclusive())).as("no power failed").contains("is damaged");
        }
        clock.setBack(Duration.ofDays(400));
        try (Store store = open(bootedAs("second"))) {
            assertThat(pair(store)).isGreaterThan(last);
            assertThat(refused(store, permits(1, 4))).contains("3 permits");
        }
    }

    private static void spoil(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 1536; i < bytes.length; i++) {
            bytes[i] ^= 0x55;
        }
        Files.write(file, bytes);
    }

    @Test
    void theDiskKnowsOfEachTokenWhereStartsOfTheMachineCannotBeTold() throws IOException {
        try (Store store = open(bootedAs(""))) {
            long last = 0;
            for (int i = 0; i < 5; i++) {
                last = pair(store);
            }
            clock.setBack(Duration.ofDays(400));
            assertThat(pair(store)).isEqualTo(last + 1);
        }
    }

    @Test
    void notWhenAnIdleFileWasPurgedAndTheClockIsSetBack() {
        long token;
        long generation;
        try (Store store = open(FileBackend.in(folder))) {
            token = pair(store);
            StoreAbility.of(store, LatchStore.class).set(LATCH, "set", 1);
            generation =
                    StoreAbility.of(store, LatchStore.class).state(LATCH, false).generation();
            StoreAbility.of(store, LatchStore.class).countDown(LATCH, generation, "x");
        }
        clock.pass(Duration.ofDays(8));
        try (Store store = open(FileBackend.in(folder))) {
            waitUntilDeleted(ledger());
            waitUntilDeleted(folder.resolve("latch/n-start"));
            clock.setBack(Duration.ofDays(400));
            assertThat(pair(store)).isGreaterThan(token);
            StoreAbility.of(store, LatchStore.class).set(LATCH, "set", 1);
            assertThat(StoreAbility.of(store, LatchStore.class)
                            .state(LATCH, false)
                            .generation())
                    .isGreaterThan(generation);
        }
    }

    private static void waitUntilDeleted(Path file) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (Files.exists(file)) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void whatIsHeldOrCountsOrIsWantedForeverIsNotPurged() throws IOException {
        try (Store store = open(FileBackend.in(folder).withoutPurge())) {
            granted(store, exclusive());
            StoreAbility.of(store, LatchStore.class).set(LATCH, "set", 1);
            StoreAbility.of(store, SizeStore.class).set(Claims.SEMAPHORE, 3);
            clock.pass(Duration.ofDays(8));
            Folder at = Folder.prepare(folder, HostSystem.real());
            new Purge(clock, Duration.ofDays(7), () -> false)
                    .run(
                            at,
                            "",
                            clock.now().wall() / 1_000_000 - Duration.ofDays(7).toMillis());
            assertThat(ledger()).exists();
            assertThat(folder.resolve("latch/n-start")).exists();
            assertThat(StoreAbility.of(store, SizeStore.class).size(Claims.SEMAPHORE))
                    .as("a size that was set")
                    .isEqualTo(3);
        }
    }

    /** Claimers open files that are being deleted all the time. */
    @Test
    void norIsExclusionLostWhileFilesArePurged() throws Exception {
        FileBackend backend = FileBackend.in(folder).withoutPurge();
        Folder at = Folder.prepare(folder, HostSystem.real());
        AtomicLong plain = new AtomicLong();
        List<Long> tokens = new ArrayList<>();
        List<CompletableFuture<?>> claimers = new ArrayList<>();
        try (Store one = open(backend);
                Store other = open(backend)) {
            for (Store store : List.of(one, other)) {
                claimers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 100; i++) {
                                Claim claim = exclusive();
                                long token = acquire(store, claim);
                                long seen = plain.get();
                                tokens.add(token);
                                plain.set(seen + 1);
                                store.release(release(claim));
                            }
                        },
                        work -> new Thread(work).start()));
            }
            CompletableFuture<?> all = CompletableFuture.allOf(claimers.toArray(CompletableFuture[]::new));
            int runs = 0;
            Purge purge = new Purge(clock, Duration.ofDays(7), () -> false);
            while (!all.isDone() || runs == 0) {
                purge.run(at, "", Long.MAX_VALUE);
                runs++;
            }
            all.join();
            assertThat(plain.get()).isEqualTo(200);
            assertThat(tokens).hasSize(200).isSorted().doesNotHaveDuplicates();
            assertThat(one.inspect(LOCK)).isEmpty();
        }
    }

    /** A copy of a ledger, as editors, backups and sync clients leave it beside the original. */
    @Test
    void aStrayCopyOfALedgerDoesNoHarmToTheLedger() throws IOException {
        try (Store store = open(FileBackend.in(folder).withoutPurge())) {
            long token = pair(store);
            Path copy = ledger().resolveSibling(ledger().getFileName() + ".bak");
            Files.copy(ledger(), copy);
            Files.setLastModifiedTime(copy, FileTime.fromMillis(0));
            new Purge(clock, Duration.ofDays(7), () -> false).run(Folder.prepare(folder, HostSystem.real()), "", 1_000);
            assertThat(pair(store)).isEqualTo(token + 1);
            assertThat(copy).exists();

            granted(store, exclusive());
            Files.copy(ledger(), copy, StandardCopyOption.REPLACE_EXISTING);
            assertThat(store.list("")).hasSize(1);
        }
    }

    /** The process that gave the file up was killed before it deleted it. */
    @Test
    void aFileThatWasGivenUpAndNotDeletedIsDeletedByTheNext() throws IOException {
        try (Store store = open(FileBackend.in(folder).withoutPurge())) {
            long token = pair(store);
            Folder at = Folder.prepare(folder, HostSystem.real());
            StoreFile.raise(at, token, soon());
            try (OpenLedger book = OpenLedger.find(at, LOCK, soon())) {
                book.ledger().purged = true;
                book.save();
            }
            assertThat(store.inspect(LOCK)).isEmpty();
            assertThat(pair(store)).isGreaterThan(token);
        }
    }

    private static Deadline soon() {
        return Deadline.in(Claims.LIMIT);
    }

    /** Whatever is deleted comes back: the disk gives the same old file to every process that opens the ledger. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aFileThatWasGivenUpAndComesBackAgainAndAgainEndsTheRequestAtItsLimit() throws IOException {
        Path old = folder.resolve("old");
        Folder at = Folder.prepare(folder, HostSystem.real());
        try (Store store = open(FileBackend.in(folder).withoutPurge())) {
            pair(store);
            try (OpenLedger book = OpenLedger.find(at, LOCK, soon())) {
                book.ledger().purged = true;
                book.save();
            }
            Files.copy(ledger(), old);
        }
        HostSystem.Disk disk =
                (path, options) -> FileChannel.open(path.equals(at.of(LOCK).path()) ? old : path, options);
        Folder haunted =
                Folder.prepare(folder, new HostSystem(disk, HostSystem.real().boot()));
        assertThatThrownBy(() -> OpenLedger.open(haunted, LOCK, Deadline.in(Duration.ofMillis(50))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("is marked as deleted");
        assertThatThrownBy(() -> OpenLedger.find(haunted, LOCK, Deadline.in(Duration.ofMillis(50))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("is marked as deleted");
    }
}
