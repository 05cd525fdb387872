package io.lockkeeper.file;

import static io.lockkeeper.file.Claims.LOCK;
import static io.lockkeeper.file.Claims.exclusive;
import static io.lockkeeper.file.Claims.granted;
import static io.lockkeeper.file.Claims.refused;
import static io.lockkeeper.file.Claims.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever can be wrong with a folder: each has one sentence. */
class FileErrorsTest {

    @TempDir
    Path parent;

    private static Store open(Path folder) {
        return FileBackend.in(folder).open(new TestKeeper("A"));
    }

    private Path ledger(Path folder) {
        return folder.resolve("lock/n-orders%2f42");
    }

    @Test
    void theFolderIsMadeWithItsParentsForNobodyElse() throws IOException {
        Path folder = parent.resolve("a/b/locks");
        open(folder).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void aLinkIsRefusedAsAFolder() throws IOException {
        Files.createDirectory(parent.resolve("real"));
        Path link = Files.createSymbolicLink(parent.resolve("link"), parent.resolve("real"));
        assertThatThrownBy(() -> open(link))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("link is a symbolic link");
        assertThatThrownBy(() -> open(Files.createSymbolicLink(parent.resolve("dangling"), parent.resolve("no"))))
                .hasMessageContaining("is a symbolic link");
    }

    @Test
    void aLinkInTheFolderIsRefused() throws IOException {
        Path folder = parent.resolve("locks");
        Path victim = Files.writeString(parent.resolve("victim"), "precious");
        try (Store store = open(folder)) {
            Files.createDirectory(folder.resolve("lock"));
            Files.createSymbolicLink(ledger(folder), victim);
            assertThat(refused(store, exclusive())).contains("is a symbolic link");
            assertThat(victim).hasContent("precious");
            Files.delete(ledger(folder));
            granted(store, exclusive());
        }
    }

    @Test
    void aLinkInPlaceOfAFamilyIsRefused() throws IOException {
        Path folder = parent.resolve("locks");
        try (Store store = open(folder)) {
            Files.createDirectory(parent.resolve("elsewhere"));
            Files.createSymbolicLink(folder.resolve("lock"), parent.resolve("elsewhere"));
            assertThat(refused(store, exclusive())).contains("is a symbolic link");
        }
    }

    @Test
    void aFileInPlaceOfTheFolderIsRefused() throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "");
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("a file is where a folder should be");
        assertThatThrownBy(() -> open(file.resolve("below")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("a file is where a folder should be");
    }

    /** Not even the superuser can write there, so this holds for every user that runs the tests. */
    @Test
    void aFolderThatCannotBeWrittenIsRefused() {
        assertThatThrownBy(() -> open(Path.of("/sys/kernel")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("/sys/kernel")
                .hasMessageContaining("written");
        assertThatThrownBy(() -> open(Path.of("/sys/kernel/locks")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("/sys/kernel/locks")
                .hasMessageContaining("written");
    }

    @Test
    void aFullDiskRefusesAndGrantsNothing() {
        Path folder = parent.resolve("locks");
        AtomicLong space = new AtomicLong(Long.MAX_VALUE);
        FileBackend backend = FullDisk.backend(folder, space);
        try (Store store = backend.open(new TestKeeper("A"));
                Store other = open(folder)) {
            Claim held = exclusive();
            long token = granted(store, held);
            space.set(0);
            assertThat(store.renew(List.of(held), Claims.LIMIT)).hasOnlyElementsOfType(Renewal.Kept.class);
            assertThatThrownBy(() -> store.release(release(held))).hasMessageContaining("no space left");
            Claim second = exclusive(new Resource(LOCK.family(), "other"));
            assertThat(refused(store, second))
                    .contains("There is no space left for")
                    .contains("n-other");
            granted(other, exclusive(second.resource()));
            space.set(Long.MAX_VALUE);
            assertThat(store.release(release(held))).isEqualTo(Release.Outcome.RELEASED);
            assertThat(granted(store, exclusive())).isGreaterThan(token);
        }
    }

    @Test
    void aNewerFormatIsRefused() throws IOException {
        Path folder = parent.resolve("locks");
        try (Store store = open(folder)) {
            Claim claim = exclusive();
            granted(store, claim);
            store.release(release(claim));
            try (RandomAccessFile file = new RandomAccessFile(ledger(folder).toFile(), "rw")) {
                file.seek(4);
                file.writeInt(2);
            }
            assertThat(refused(store, exclusive())).contains("format 2").contains("format 1");
            assertThat(store.renew(List.of(claim), Claims.LIMIT)).hasOnlyElementsOfType(Renewal.Unknown.class);
            assertThatThrownBy(() -> store.inspect(LOCK)).hasMessageContaining("format 2");
        }
    }

    @Test
    void aStrangersFileIsRefusedAndNotTouched() throws IOException {
        Path folder = parent.resolve("locks");
        try (Store store = open(folder)) {
            Files.createDirectory(folder.resolve("lock"));
            String text = "x".repeat(5_000);
            Files.writeString(ledger(folder), text);
            assertThat(refused(store, exclusive())).contains("not a file of Lockkeeper");
            assertThat(ledger(folder)).hasContent(text);
        }
    }

    @Test
    void aFileOfAnotherNameIsRefused() throws IOException {
        Path folder = parent.resolve("locks");
        try (Store store = open(folder)) {
            Claim claim = exclusive();
            granted(store, claim);
            Files.move(ledger(folder), folder.resolve("lock/n-other"));
            assertThat(refused(store, exclusive(new Resource(LOCK.family(), "other"))))
                    .contains("orders/42")
                    .contains("'other'");
        }
    }

    @Test
    void aDiskThatHangsEndsTheCallAtItsLimit() {
        Path folder = parent.resolve("locks");
        AtomicBoolean hangs = new AtomicBoolean();
        FileBackend backend = new FileBackend(
                folder,
                null,
                new HostSystem(
                        (path, options) -> {
                            while (hangs.get()) {
                                Thread.onSpinWait();
                            }
                            return FileChannel.open(path, options);
                        },
                        "boot"));
        try (Store store = backend.open(new TestKeeper("A"));
                Store other = open(folder)) {
            Claim claim = exclusive();
            Claim hurried = claim.withTimeout(Duration.ofMillis(50));
            hangs.set(true);
            assertThatThrownBy(() -> store.attempt(hurried))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("50ms");
            hangs.set(false);
            store.release(release(claim, true));
            granted(other, exclusive());
        }
    }
}
