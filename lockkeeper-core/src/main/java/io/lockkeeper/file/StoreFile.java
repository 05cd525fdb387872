package io.lockkeeper.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What is written about the store as a whole.
 *
 * @param id random; empty if nobody has written it yet
 * @param highWater no token up to this one is given by a file that is made from now on
 * @param purgedAt when idle files were last looked for, in milliseconds of the wall clock
 */
record StoreFile(String id, long highWater, long purgedAt) {

    private static final StoreFile NONE = new StoreFile("", 0, 0);

    /** What is there now. */
    static StoreFile read(Folder folder, Deadline deadline) {
        try (Register register = folder.find(folder.store(), deadline)) {
            if (register == null) {
                return NONE;
            }
            Register.Content content = register.read();
            if (content.spoilt) {
                register.lock(deadline);
                content = register.read();
            }
            return parse(content);
        }
    }

    /** Writes the id if there is none yet. */
    static StoreFile begin(Folder folder, Deadline deadline) {
        StoreFile known = read(folder, deadline);
        if (!known.id.isEmpty()) {
            return known;
        }
        String fresh = Session.randomId();
        return change(folder, deadline, now -> now.id.isEmpty() ? new StoreFile(fresh, 0, 0) : now);
    }

    /** Counters up to this one may be forgotten from now on. */
    static StoreFile raise(Folder folder, long highWater, Deadline deadline) {
        return change(folder, deadline, now -> new StoreFile(now.id, Math.max(now.highWater, highWater), now.purgedAt));
    }

    /** Idle files are being looked for. */
    static void purging(Folder folder, long at, Deadline deadline) {
        change(folder, deadline, now -> new StoreFile(now.id, now.highWater, at));
    }

    private interface Change {
        StoreFile of(StoreFile now);
    }

    private static StoreFile change(Folder folder, Deadline deadline, Change change) {
        try (Register register = folder.openStore(deadline)) {
            register.lock(deadline);
            StoreFile now = parse(register.read());
            StoreFile next = change.of(now);
            if (!next.equals(now)) {
                register.write(next.toBytes());
                register.force();
            }
            return next;
        }
    }

    private byte[] toBytes() {
        byte[] text = id.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(16 + text.length)
                .putLong(highWater)
                .putLong(purgedAt)
                .put(text)
                .array();
    }

    private static StoreFile parse(Register.Content content) {
        byte[] bytes = content.body;
        if (bytes == null) {
            return NONE;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long highWater = in.getLong();
        long purgedAt = in.getLong();
        return new StoreFile(new String(bytes, 16, bytes.length - 16, StandardCharsets.US_ASCII), highWater, purgedAt);
    }
}
