package io.lockkeeper.file;

import io.lockkeeper.ClaimRefusedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What is written about the store as a whole. It is changed rarely, and each change is forced to disk.
 *
 * @param id random; empty if nobody has written it yet
 * @param ceiling the machine may have given tokens up to this one since its start
 * @param highWater all tokens from before its start, and those of files that were deleted as idle, are at most this
 * @param purgedAt when idle files were last looked for, in milliseconds of the wall clock
 * @param boot the machine's start; see {@link HostSystem}
 */
record StoreFile(String id, long ceiling, long highWater, long purgedAt, String boot) {

    private static final StoreFile NONE = new StoreFile("", 0, 0, 0, "none");

    /** The content now. */
    static StoreFile read(Folder folder, Deadline deadline) {
        try (RecordFile register = folder.find(folder.store(), deadline)) {
            if (register == null) {
                return NONE;
            }
            RecordFile.Content content = register.read();
            if (content.spoilt) {
                register.lock(deadline);
                content = register.read();
            }
            return parse(folder, content);
        }
    }

    /**
     * Gives the store this id if it has none yet. After a restart of the machine the ceiling becomes the high-water mark; where
     * restarts cannot be told this may have been one.
     */
    static StoreFile begin(Folder folder, String freshId, Deadline deadline) {
        StoreFile known = read(folder, deadline);
        if (!known.id.isEmpty() && !known.boot.isEmpty() && known.boot.equals(folder.boot())) {
            return known;
        }
        return change(
                folder,
                deadline,
                now -> new StoreFile(
                        now.id.isEmpty() ? freshId : now.id,
                        now.ceiling,
                        now.boot.isEmpty() || !now.boot.equals(folder.boot())
                                ? Math.max(now.highWater, now.ceiling)
                                : now.highWater,
                        now.purgedAt,
                        folder.boot()));
    }

    /** Counters up to this one may be forgotten from now on. */
    static void raise(Folder folder, long highWater, Deadline deadline) {
        change(
                folder,
                deadline,
                now -> new StoreFile(now.id, now.ceiling, Math.max(now.highWater, highWater), now.purgedAt, now.boot));
    }

    /** Tokens up to this one may be given from now on, and up to some more, as the answer says. */
    static StoreFile cover(Folder folder, long token, long ahead, Deadline deadline) {
        return change(
                folder,
                deadline,
                now -> token <= now.ceiling
                        ? now
                        : new StoreFile(now.id, token + ahead, now.highWater, now.purgedAt, now.boot));
    }

    /** Idle files are being looked for. */
    static void purging(Folder folder, long at, Deadline deadline) {
        change(folder, deadline, now -> new StoreFile(now.id, now.ceiling, now.highWater, at, now.boot));
    }

    private interface Change {
        StoreFile of(StoreFile now);
    }

    private static StoreFile change(Folder folder, Deadline deadline, Change change) {
        try (RecordFile register = folder.openStore(deadline)) {
            register.lock(deadline);
            StoreFile now = parse(folder, register.read());
            StoreFile next = change.of(now);
            if (!next.equals(now)) {
                register.write(next.toBytes());
            }
            // Also what another process wrote that may have been killed before it came to this.
            register.force();
            return next;
        }
    }

    private byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(id);
            out.writeLong(ceiling);
            out.writeLong(highWater);
            out.writeLong(purgedAt);
            out.writeUTF(boot);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static StoreFile parse(Folder folder, RecordFile.Content content) {
        if (content.body == null) {
            return NONE;
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content.body))) {
            return new StoreFile(in.readUTF(), in.readLong(), in.readLong(), in.readLong(), in.readUTF());
        } catch (IOException e) {
            throw new ClaimRefusedException(folder.store().path() + " cannot be read: " + e, e);
        }
    }
}
