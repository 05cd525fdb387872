package io.lockkeeper.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A channel to a disk that has space left for this many bytes; what does not fit is cut off. */
final class FullDisk extends DiskChannel {

    private final AtomicLong space;

    private FullDisk(FileChannel disk, AtomicLong space) {
        super(disk);
        this.space = space;
    }

    static FileBackend backend(Path folder, AtomicLong space) {
        return new FileBackend(folder, null, new HostSystem(of(space), "boot"));
    }

    static HostSystem.Disk of(AtomicLong space) {
        return (path, options) -> new FullDisk(FileChannel.open(path, options), space);
    }

    @Override
    public int write(ByteBuffer bytes, long at) throws IOException {
        int wanted = bytes.remaining();
        int fits = (int) Math.min(wanted, space.get());
        space.addAndGet(-fits);
        bytes.limit(bytes.position() + fits);
        disk.write(bytes, at);
        if (fits < wanted) {
            throw new IOException("No space left on device");
        }
        return fits;
    }
}
