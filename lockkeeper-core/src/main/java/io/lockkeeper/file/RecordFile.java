package io.lockkeeper.file;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.StoreUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A small file that processes change one after the other, and in which a change is there as a whole or not at all. Open for
 * one operation at a time; see {@link JvmFileLocks}.
 *
 * <p>Its <em>body</em> is written to a place where the current one is not, then one of two <em>roots</em> is pointed at it,
 * in turn, with a number and checksums. The root with the highest number whose checksums are right counts. A process that
 * is killed while it writes leaves the old root in force. Were the body written over the old one, the process that comes
 * next would find half a list of holders, and let another claim in beside them.
 *
 * <p>All that survives a kill, because the kernel has it; a power failure it survives from {@link #force} on. As bodies may
 * be written many times without that, they could all be spoilt then. What is written rarely and has to survive is kept in
 * the <em>anchor</em>: also two slots in turn, in disk sectors of their own.
 *
 * <pre>
 *      0  magic, format          512, 1024  anchors          1536, 2048  roots          4096 …  bodies
 * </pre>
 */
final class RecordFile implements AutoCloseable {

    static final int FORMAT = 1;

    private static final int MAGIC = 0x4c4b_5052;
    private static final int SECTOR = 512;
    private static final int ANCHORS = SECTOR;
    private static final int ROOTS = 3 * SECTOR;
    private static final int BODIES = 4096;
    private static final int FIRST_READ = 2 * BODIES;
    private static final int LONGEST_BODY = 1 << 28;
    /** The byte whose lock is the right to change the file; far behind its end. */
    private static final long MUTEX = 1L << 62;

    private record Root(long number, long at, int length, int crc) {}

    private final Path path;
    private final JvmFileLocks.Gate gate;
    private final FileChannel channel;
    private boolean isNew;
    private @Nullable Root root;
    private long anchorNumber;

    private RecordFile(Path path, JvmFileLocks.Gate gate, FileChannel channel) {
        this.path = path;
        this.gate = gate;
        this.channel = channel;
    }

    private static final Set<OpenOption> EXISTING =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> CREATING = Set.of(
            StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE, LinkOption.NOFOLLOW_LINKS);

    /** Opens it, and makes it if it is missing; null if its folder is missing. */
    static @Nullable RecordFile open(Folder.Place place, HostSystem.Disk disk, Deadline deadline) {
        return open(place, disk, CREATING, deadline);
    }

    /** Opens it; null if it is missing. */
    static @Nullable RecordFile find(Folder.Place place, HostSystem.Disk disk, Deadline deadline) {
        return open(place, disk, EXISTING, deadline);
    }

    private static @Nullable RecordFile open(
            Folder.Place place, HostSystem.Disk disk, Set<? extends OpenOption> options, Deadline deadline) {
        JvmFileLocks.Gate gate = JvmFileLocks.enter(place.gate(), deadline);
        RecordFile opened = null;
        try {
            opened = new RecordFile(place.path(), gate, disk.open(place.path(), options));
            return opened;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw FileErrors.of(place.path(), e);
        } finally {
            if (opened == null) {
                gate.leave();
            }
        }
    }

    /** Takes the right to change it. No process keeps that for longer than a few writes, unless it is stopped. */
    void lock(Deadline deadline) {
        long pause = FilePolicy.SHORTEST_LOCK_PAUSE.toNanos();
        try {
            while (!isLocked()) {
                if (deadline.hasPassed()) {
                    throw new StoreUnavailableException("The file " + path + " was being changed by another process"
                            + " for longer than the timeout; check whether one of them is stopped");
                }
                LockSupport.parkNanos(Math.min(pause, Math.max(1, deadline.left())));
                pause = Math.min(2 * pause, FilePolicy.LONGEST_LOCK_PAUSE.toNanos());
            }
        } catch (IOException e) {
            throw FileErrors.of(path, e);
        }
    }

    private boolean isLocked() throws IOException {
        try {
            return channel.tryLock(MUTEX, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** What was read. */
    static final class Content {
        /** Null if there is none. */
        final byte @Nullable [] body;
        /** Whether there must have been one. */
        final boolean spoilt;
        /** Whether the newest root leads to something else than its body, so that the body is an older one. */
        private final boolean older;
        /** Null if there is none. */
        final byte @Nullable [] anchor;

        private Content(byte @Nullable [] body, boolean spoilt, boolean older, byte @Nullable [] anchor) {
            this.body = body;
            this.spoilt = spoilt;
            this.older = older;
            this.anchor = anchor;
        }

        /**
         * Whether it was written to while it was read, if that was done without the mutex. The body is then missing, or one
         * of any age: it may be the last but three.
         */
        boolean isTorn() {
            return spoilt || older;
        }
    }

    /** Reads it. Without the mutex another process may be writing; see {@link Content#isTorn}. */
    Content read() {
        try {
            ByteBuffer head = ByteBuffer.allocate(FIRST_READ);
            readFully(head, 0);
            return parse(head.flip());
        } catch (IOException e) {
            throw FileErrors.of(path, e);
        }
    }

    private Content parse(ByteBuffer head) throws IOException {
        // A file without magic was just made, or its maker was killed before it wrote anything.
        isNew = head.limit() < BODIES || head.getInt(0) == 0;
        root = null;
        anchorNumber = 0;
        if (isNew) {
            return new Content(null, false, false, null);
        }
        if (head.getInt(0) != MAGIC) {
            throw new ClaimRefusedException(path + " is not a file of Lockkeeper; keep other files out of its folder");
        }
        if (head.getInt(4) > FORMAT) {
            throw new ClaimRefusedException(path + " was written in format " + head.getInt(4)
                    + " by a newer Lockkeeper, and this one knows format " + FORMAT + "; use the newer one here too");
        }
        byte[] anchor = null;
        for (int slot = 0; slot < 2; slot++) {
            int at = ANCHORS + slot * SECTOR;
            int length = head.getInt(at + 8);
            boolean right =
                    length > 0 && length <= SECTOR - 16 && head.getInt(at + 12 + length) == crc(head, at, 12 + length);
            if (right && head.getLong(at) > anchorNumber) {
                anchorNumber = head.getLong(at);
                anchor = new byte[length];
                head.get(at + 12, anchor);
            }
        }
        byte[] body = null;
        boolean rooted = false;
        long newest = 0;
        for (int slot = 0; slot < 2; slot++) {
            rooted |= head.getLong(ROOTS + slot * SECTOR) != 0;
            Root found = parseRoot(head, ROOTS + slot * SECTOR);
            newest = found == null ? newest : Math.max(newest, found.number);
            if (found != null && (root == null || found.number > root.number)) {
                byte[] bytes = body(head, found);
                if (bytes != null) {
                    root = found;
                    body = bytes;
                }
            }
        }
        return new Content(body, rooted && body == null, root != null && root.number < newest, anchor);
    }

    private static @Nullable Root parseRoot(ByteBuffer head, int at) {
        Root found = new Root(head.getLong(at), head.getLong(at + 8), head.getInt(at + 16), head.getInt(at + 20));
        boolean right = found.number > 0
                && found.at >= BODIES
                && found.length > 0
                && found.length <= LONGEST_BODY
                && head.getInt(at + 24) == crc(head, at, 24);
        return right ? found : null;
    }

    private byte @Nullable [] body(ByteBuffer head, Root of) throws IOException {
        byte[] bytes = new byte[of.length];
        if (of.at + of.length <= head.limit()) {
            head.get((int) of.at, bytes);
        } else {
            readFully(ByteBuffer.wrap(bytes), of.at);
        }
        return crc(ByteBuffer.wrap(bytes), 0, of.length) == of.crc ? bytes : null;
    }

    private void readFully(ByteBuffer into, long from) throws IOException {
        while (into.hasRemaining() && channel.read(into, from + into.position()) >= 0) {}
    }

    /** Changes the anchor; counts only after {@link #force}. With the mutex, after a read. */
    void writeAnchor(byte[] bytes) {
        anchorNumber++;
        ByteBuffer slot = ByteBuffer.allocate(16 + bytes.length);
        slot.putLong(anchorNumber).putInt(bytes.length).put(bytes);
        slot.putInt(crc(slot, 0, 12 + bytes.length)).flip();
        try {
            makeNew();
            writeFully(slot, ANCHORS + (anchorNumber % 2) * SECTOR);
        } catch (IOException e) {
            throw FileErrors.of(path, e);
        }
    }

    /** Changes the body, in one step. With the mutex, after a read. */
    void write(byte[] body) {
        Root old = root;
        long number = old == null ? 1 : old.number + 1;
        long at = old == null || BODIES + body.length <= old.at ? BODIES : old.at + old.length;
        ByteBuffer bytes = ByteBuffer.wrap(body);
        Root next = new Root(number, at, body.length, crc(bytes, 0, body.length));
        try {
            makeNew();
            writeFully(bytes, at);
        } catch (IOException e) {
            throw FileErrors.of(path, e);
        }
        ByteBuffer slot = ByteBuffer.allocate(28);
        slot.putLong(next.number).putLong(next.at).putInt(next.length).putInt(next.crc);
        slot.putInt(crc(slot, 0, 24)).flip();
        try {
            writeFully(slot, ROOTS + (number % 2) * SECTOR);
        } catch (IOException e) {
            throw FileErrors.halfDone(path, e);
        }
        root = next;
    }

    private void makeNew() throws IOException {
        if (isNew) {
            writeFully(ByteBuffer.allocate(BODIES).putInt(0, MAGIC).putInt(4, FORMAT), 0);
            isNew = false;
        }
    }

    private void writeFully(ByteBuffer bytes, long to) throws IOException {
        long end = to + bytes.limit();
        while (bytes.hasRemaining()) {
            channel.write(bytes, end - bytes.remaining());
        }
    }

    /** Returns when the disk has everything. */
    void force() {
        try {
            channel.force(false);
        } catch (IOException e) {
            throw FileErrors.halfDone(path, e);
        }
    }

    /** Gives up the right to change it, too. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileErrors.halfDone(path, e);
        } finally {
            gate.leave();
        }
    }

    private static int crc(ByteBuffer bytes, int from, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes.slice(from, length));
        return (int) crc.getValue();
    }
}
