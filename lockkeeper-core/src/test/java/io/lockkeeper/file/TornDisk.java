package io.lockkeeper.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/** A channel whose next read of a whole head is interrupted between its two pages by what others do meanwhile. */
final class TornDisk extends DiskChannel {

    private static final int PAGE = 4096;

    private final AtomicReference<Runnable> meanwhile;

    private TornDisk(FileChannel disk, AtomicReference<Runnable> meanwhile) {
        super(disk);
        this.meanwhile = meanwhile;
    }

    /** @param meanwhile is run once and then null */
    static FileBackend backend(Path folder, AtomicReference<Runnable> meanwhile) {
        HostSystem.Disk disk = (path, options) -> new TornDisk(FileChannel.open(path, options), meanwhile);
        return new FileBackend(
                folder, null, new HostSystem(disk, HostSystem.real().boot()));
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
        Runnable others = at == 0 && into.remaining() == 2 * PAGE ? meanwhile.getAndSet(null) : null;
        if (others == null) {
            return super.read(into, at);
        }
        into.limit(PAGE);
        int read = super.read(into, at);
        into.limit(2 * PAGE);
        others.run();
        return read;
    }
}
