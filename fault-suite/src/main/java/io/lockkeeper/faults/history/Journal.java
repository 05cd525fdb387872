package io.lockkeeper.faults.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lines in a file. Each is handed to the operating system by one write before {@link #note} returns, so a process that is
 * killed loses at most the line it was writing, and that one ends without a line feed. (Not a machine that loses
 * power: nothing is forced to disk.)
 */
public final class Journal implements AutoCloseable {

    private final ReentrantLock turn = new ReentrantLock();
    private final FileOutputStream file;

    public Journal(Path path) throws IOException {
        file = new FileOutputStream(path.toFile(), true);
    }

    public void note(String line) {
        byte[] bytes = (line + "\n").getBytes(UTF_8);
        turn.lock();
        try {
            file.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("The journal cannot be written", e);
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
