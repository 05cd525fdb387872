package io.lockkeeper.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicReference;

/** A channel whose next read from the beginning delivers what the file once was. */
final class OldPage extends DiskChannel {

    private final AtomicReference<byte[]> old;

    /** @param old is read once and then null */
    OldPage(FileChannel disk, AtomicReference<byte[]> old) {
        super(disk);
        this.old = old;
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
        byte[] bytes = at == 0 ? old.getAndSet(null) : null;
        if (bytes == null) {
            return super.read(into, at);
        }
        into.put(bytes, 0, Math.min(bytes.length, into.remaining()));
        into.limit(into.position());
        return into.position();
    }
}
