package io.lockkeeper.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** What the store uses of a channel, passed on to a real one. */
abstract class DiskChannel extends FileChannel {

    final FileChannel disk;

    DiskChannel(FileChannel disk) {
        this.disk = disk;
    }

    @Override
    public int write(ByteBuffer bytes, long at) throws IOException {
        return disk.write(bytes, at);
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
        return disk.read(into, at);
    }

    @Override
    public FileLock tryLock(long at, long size, boolean shared) throws IOException {
        return disk.tryLock(at, size, shared);
    }

    @Override
    public void force(boolean metaData) throws IOException {
        disk.force(metaData);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        disk.close();
    }

    private static IOException unused() {
        return new IOException("the store does not use this");
    }

    @Override
    public FileLock lock(long at, long size, boolean shared) throws IOException {
        throw unused();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        throw unused();
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        throw unused();
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        throw unused();
    }

    @Override
    public long write(ByteBuffer[] bytes, int offset, int length) throws IOException {
        throw unused();
    }

    @Override
    public long position() throws IOException {
        throw unused();
    }

    @Override
    public FileChannel position(long to) throws IOException {
        throw unused();
    }

    @Override
    public long size() throws IOException {
        throw unused();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        throw unused();
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel to) throws IOException {
        throw unused();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long at, long count) throws IOException {
        throw unused();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long size) throws IOException {
        throw unused();
    }
}
