package io.lockkeeper.file;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.Resource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A resource's file, open for one operation, with the {@link Ledger} that was read from it.
 *
 * <p><b>Tokens never go down</b>, also if the power fails and the clock is wrong afterwards. The counter itself would have
 * to be forced to disk before every grant, which takes longer than all else together. Instead a <em>ceiling</em> is forced,
 * one second of tokens ahead, and tokens up to it need no more. What the kernel has not written when the power fails is
 * lost, so the first who comes after a restart of the machine goes on above the ceiling. (Where restarts can not be told
 * every change is forced.) A ceiling counts from when it <em>has been</em> forced: it is copied from the anchor to the ledger
 * only then. Else a process that is killed in between would make the next one rely on what is not on disk.
 *
 * <p><b>A file that is deleted as idle</b> is marked so first, under its mutex, and its counter is folded into the store's
 * high-water mark, above which new files start. A process that had opened it before sees the mark and opens it anew.
 */
final class Book implements AutoCloseable {

    /** Tokens are microseconds if nothing pushes them. */
    private static final long AHEAD = 1_000_000;

    private static final int PEEKS = 3;

    private final Register register;
    private final String boot;
    private final Ledger ledger;
    private final int sizeRead;

    private Book(Register register, String boot, Ledger ledger) {
        this.register = register;
        this.boot = boot;
        this.ledger = ledger;
        this.sizeRead = ledger.size;
    }

    Ledger ledger() {
        return ledger;
    }

    /** Opens it to change it, and makes it if it is missing. */
    static Book open(Folder folder, Resource resource, Deadline deadline) {
        while (true) {
            Book opened = locked(folder, resource, folder.open(resource, deadline), deadline);
            if (opened != null) {
                return opened;
            }
        }
    }

    /** Opens it to change it; null if it is missing. */
    static @Nullable Book find(Folder folder, Resource resource, Deadline deadline) {
        while (true) {
            Register register = folder.find(folder.of(resource), deadline);
            if (register == null) {
                return null;
            }
            Book opened = locked(folder, resource, register, deadline);
            if (opened != null) {
                return opened;
            }
        }
    }

    private static @Nullable Book locked(Folder folder, Resource resource, Register register, Deadline deadline) {
        Book opened = null;
        try {
            register.lock(deadline);
            Ledger ledger = load(folder, resource, register, deadline);
            opened = ledger.purged ? null : new Book(register, folder.boot(), ledger);
            return opened;
        } finally {
            if (opened == null) {
                register.close();
            }
        }
    }

    /** Reads it without stopping anybody who changes it; null if there is nothing. */
    static @Nullable Ledger peek(Folder folder, Folder.Place place, Deadline deadline) {
        try (Register register = folder.find(place, deadline)) {
            if (register == null) {
                return null;
            }
            Register.Content content = register.read();
            for (int i = 1; i < PEEKS && content.spoilt; i++) {
                content = register.read();
            }
            if (content.spoilt) {
                register.lock(deadline);
                content = register.read();
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

    private static Ledger load(Folder folder, Resource resource, Register register, Deadline deadline) {
        Folder.Place place = folder.of(resource);
        Register.Content content = register.read();
        Anchor anchor = content.anchor == null ? Anchor.NONE : Anchor.parse(content.anchor);
        if (content.spoilt && anchor.boot.equals(folder.boot())) {
            throw new ClaimRefusedException(
                    place.path() + " is damaged; stop all who use it, delete it, and look for what wrote to it");
        }
        if (content.body == null) {
            Ledger fresh = new Ledger(resource);
            fresh.counter =
                    Math.max(anchor.ceiling, StoreFile.read(folder, deadline).highWater());
            fresh.size = anchor.size;
            return fresh;
        }
        Ledger ledger = parse(place, content.body);
        check(place, ledger, resource);
        if (folder.boot().isEmpty() || !ledger.boot.equals(folder.boot())) {
            ledger.counter = Math.max(ledger.counter, anchor.ceiling);
            ledger.ceiling = 0;
        }
        return ledger;
    }

    private static Ledger parse(Folder.Place place, byte[] body) {
        try {
            return Ledger.parse(body);
        } catch (IOException | IllegalArgumentException e) {
            throw new ClaimRefusedException(place.path() + " can not be understood: " + e, e);
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
        if (ledger.counter > ledger.ceiling || ledger.size != sizeRead) {
            anchor();
        }
        register.write(ledger.toBytes());
        if (boot.isEmpty()) {
            register.force();
        }
    }

    /** Has the disk know what must survive: the size, and a bound of all tokens until the next time. */
    private void anchor() {
        long ceiling = ledger.counter + (boot.isEmpty() ? 0 : AHEAD);
        register.writeAnchor(new Anchor(ceiling, ledger.size, boot).toBytes());
        register.force();
        ledger.ceiling = ceiling;
        ledger.boot = boot;
    }

    /** Has the disk know everything. */
    void force() {
        register.force();
    }

    @Override
    public void close() {
        register.close();
    }

    private record Anchor(long ceiling, int size, String boot) {

        static final Anchor NONE = new Anchor(0, 0, "none");

        byte[] toBytes() {
            byte[] text = boot.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(12 + text.length)
                    .putLong(ceiling)
                    .putInt(size)
                    .put(text)
                    .array();
        }

        static Anchor parse(byte[] bytes) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return new Anchor(
                    in.getLong(), in.getInt(), new String(bytes, 12, bytes.length - 12, StandardCharsets.UTF_8));
        }
    }
}
