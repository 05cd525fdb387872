package io.lockkeeper.benchmarks.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the locks guard: numbers in a file that all processes of a scenario have mapped. They are read and written plainly,
 * so that two holders at a time show as a lost update, a foreign owner's mark or a token that did not grow.
 */
public final class Slots {

    /** Each on cache lines of its own. */
    private static final int WIDTH = 128;

    private static final int COUNT = 4096;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer memory;

    public Slots(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) WIDTH * COUNT);
            memory.order(ByteOrder.nativeOrder());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot map " + file, e);
        }
    }

    /** For the whole of a slot: the plain word of that number, 0 to 15. */
    public long get(int slot, int word) {
        return memory.getLong(slot * WIDTH + word * Long.BYTES);
    }

    public void set(int slot, int word, long value) {
        memory.putLong(slot * WIDTH + word * Long.BYTES, value);
    }

    /** Atomically. */
    public long add(int slot, int word, long delta) {
        return (long) LONG.getAndAdd((ByteBuffer) memory, slot * WIDTH + word * Long.BYTES, delta) + delta;
    }

    public long getVolatile(int slot, int word) {
        return (long) LONG.getVolatile((ByteBuffer) memory, slot * WIDTH + word * Long.BYTES);
    }

    public void setVolatile(int slot, int word, long value) {
        LONG.setVolatile((ByteBuffer) memory, slot * WIDTH + word * Long.BYTES, value);
    }

    /** Zero everywhere. */
    public void clear() {
        for (int i = 0; i < WIDTH * COUNT; i += Long.BYTES) {
            memory.putLong(i, 0);
        }
    }

    /** The sum of a word over all slots. */
    public long sum(int word) {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += get(i, word);
        }
        return sum;
    }
}
