package io.lockkeeper.file;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Resource;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.SemaphoreSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource's file, open for one operation, with the {@link Ledger} that was read from it.
 *
 * <p>A ledger survives the end of any process, but is not forced to disk. After a power failure it may be old, and then goes on
 * above the store's high-water mark ({@link TokenCeiling}), or spoilt, and then begins anew; all who held died with the machine.
 * Its anchor tells which start of the machine it is from, because one that is spoilt without a power failure is a riddle that
 * must not be solved by letting people in. It also keeps the size of a semaphore.
 *
 * <p>A file that is deleted as idle is marked so first, under its mutex; see {@link Purge}. A process that had opened it before
 * sees the mark and opens it anew.
 */
final class OpenLedger implements AutoCloseable {

    private static final int PEEKS = 3;

    private final RecordFile register;
    private final String boot;
    private final Ledger ledger;
    private final SemaphoreSize sizeRead;

    private OpenLedger(RecordFile register, String boot, Ledger ledger) {
        this.register = register;
        this.boot = boot;
        this.ledger = ledger;
        this.sizeRead = ledger.size;
    }

    Ledger ledger() {
        return ledger;
    }

    /** Opens it to change it, and makes it if it is missing. */
    static OpenLedger open(Folder folder, Resource resource, Deadline deadline) {
        while (true) {
            OpenLedger opened = locked(folder, resource, folder.open(resource, deadline), deadline);
            if (opened != null) {
                return opened;
            }
            finishPurge(folder, folder.of(resource), deadline);
        }
    }

    /** Opens it to change it; null if it is missing. */
    static @Nullable OpenLedger find(Folder folder, Resource resource, Deadline deadline) {
        while (true) {
            RecordFile register = folder.find(folder.of(resource), deadline);
            if (register == null) {
                return null;
            }
            OpenLedger opened = locked(folder, resource, register, deadline);
            if (opened != null) {
                return opened;
            }
            finishPurge(folder, folder.of(resource), deadline);
        }
    }

    /**
     * Deletes a file that is marked as given up and still there. The process that marked it has ended: it would have deleted
     * the file before it gave up the mutex.
     *
     * <p>What is deleted is what was marked, and not a new file of that name: if the path leads to the same file before it
     * was opened and now, it leads to the one that is open, and only a process that has the mutex may change that.
     */
    private static void finishPurge(Folder folder, Folder.Place place, Deadline deadline) {
        if (deadline.hasPassed()) {
            throw new StoreUnavailableException("The file " + place.path()
                    + " is marked as deleted and does not go away; look for what puts it back");
        }
        try {
            Object before = Session.inode(place.path());
            try (RecordFile register = folder.find(place, deadline)) {
                if (before == null || register == null) {
                    return;
                }
                register.lock(deadline);
                byte[] body = register.read().body;
                boolean purged = body != null && parse(place, body).purged;
                if (purged && before.equals(Session.inode(place.path()))) {
                    Files.deleteIfExists(place.path());
                }
            }
        } catch (IOException e) {
            throw FileErrors.of(place.path(), e);
        }
    }

    private static @Nullable OpenLedger locked(
            Folder folder, Resource resource, RecordFile register, Deadline deadline) {
        OpenLedger opened = null;
        try {
            register.lock(deadline);
            Ledger ledger = load(folder, resource, register, deadline);
            opened = ledger.purged ? null : new OpenLedger(register, folder.boot(), ledger);
            return opened;
        } finally {
            if (opened == null) {
                register.close();
            }
        }
    }

    /** Reads it without stopping anybody who changes it; null if there is nothing. */
    static @Nullable Ledger peek(Folder folder, Folder.Place place, Deadline deadline) {
        try (RecordFile register = folder.find(place, deadline)) {
            if (register == null) {
                return null;
            }
            RecordFile.Content content = register.read();
            for (int i = 1; i < PEEKS && content.isTorn(); i++) {
                content = register.read();
            }
            if (content.isTorn()) {
                register.lock(deadline);
                content = register.read();
                anchor(folder, place, content);
            }
            Ledger ledger = content.body == null ? null : parse(place, content.body);
            return ledger == null || ledger.purged ? null : ledger;
        }
    }

    /** As {@link #peek(Folder, Folder.Place, Deadline)}, of a resource that is known. */
    static @Nullable Ledger peek(Folder folder, Resource resource, Deadline deadline) {
        Folder.Place place = folder.of(resource);
        Ledger ledger = peek(folder, place, deadline);
        if (ledger != null) {
            check(place, ledger, resource);
        }
        return ledger;
    }

    private static Ledger load(Folder folder, Resource resource, RecordFile register, Deadline deadline) {
        Folder.Place place = folder.of(resource);
        RecordFile.Content content = register.read();
        Anchor anchor = anchor(folder, place, content);
        Ledger ledger;
        if (content.body == null) {
            ledger = new Ledger(resource);
            ledger.size = anchor.size;
        } else {
            ledger = parse(place, content.body);
            check(place, ledger, resource);
        }
        if (folder.boot().isEmpty() || !ledger.boot.equals(folder.boot())) {
            ledger.counter =
                    Math.max(ledger.counter, StoreFile.read(folder, deadline).highWater());
        }
        return ledger;
    }

    private static Anchor anchor(Folder folder, Folder.Place place, RecordFile.Content content) {
        Anchor anchor = content.anchor == null ? Anchor.NONE : Anchor.parse(content.anchor);
        if (content.spoilt && !folder.boot().isEmpty() && anchor.boot.equals(folder.boot())) {
            throw new ClaimRefusedException(
                    place.path() + " is damaged; stop all who use it, delete it, and look for what wrote to it");
        }
        return anchor;
    }

    private static Ledger parse(Folder.Place place, byte[] body) {
        try {
            return LedgerFormat.parse(body);
        } catch (IOException | IllegalArgumentException e) {
            throw new ClaimRefusedException(place.path() + " cannot be read: " + e, e);
        }
    }

    private static void check(Folder.Place place, Ledger ledger, Resource resource) {
        if (!ledger.resource.equals(resource)) {
            throw new ClaimRefusedException(place.path() + " belongs to the " + ledger.resource + ", not to the "
                    + resource + "; put files back to where they were");
        }
    }

    /** Writes the ledger. */
    void save() {
        boolean resized = !ledger.size.equals(sizeRead);
        if (resized || !ledger.boot.equals(boot)) {
            register.writeAnchor(new Anchor(ledger.size, boot).toBytes());
            ledger.boot = boot;
        }
        register.write(LedgerFormat.toBytes(ledger));
        if (resized) {
            register.force();
        }
    }

    /** Has the disk know everything. */
    void force() {
        register.force();
    }

    @Override
    public void close() {
        register.close();
    }

    /** A size that was set is kept as a negative number; the operations that changed it are not kept here. */
    private record Anchor(SemaphoreSize size, String boot) {

        static final Anchor NONE = new Anchor(SemaphoreSize.NONE, "none");

        byte[] toBytes() {
            byte[] text = boot.getBytes(StandardCharsets.UTF_8);
            int number = size.set() ? -size.permits() : size.permits();
            return ByteBuffer.allocate(4 + text.length).putInt(number).put(text).array();
        }

        static Anchor parse(byte[] bytes) {
            int number = ByteBuffer.wrap(bytes).getInt();
            return new Anchor(
                    new SemaphoreSize(Math.abs(number), number < 0, List.of()),
                    new String(bytes, 4, bytes.length - 4, StandardCharsets.UTF_8));
        }
    }
}
