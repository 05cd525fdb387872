package io.lockkeeper.build;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The last lines that were written, each with its number. */
final class Recording extends OutputStream {

    private static final int LINES = 20_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<String> lines = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long ended;

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        lock.lock();
        try {
            for (int i = from; i < from + length; i++) {
                if (bytes[i] == '\n') {
                    end();
                } else {
                    line.write(bytes[i]);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lines.addLast(line.toString(Charset.defaultCharset()));
        line.reset();
        ended++;
        if (lines.size() > LINES) {
            lines.removeFirst();
        }
    }

    /** The number of the next line. */
    long position() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** The lines from that number on, as far as they are kept. */
    List<String> since(long position) {
        lock.lock();
        try {
            long first = ended - lines.size();
            return lines.stream().skip(Math.max(0, position - first)).toList();
        } finally {
            lock.unlock();
        }
    }
}
