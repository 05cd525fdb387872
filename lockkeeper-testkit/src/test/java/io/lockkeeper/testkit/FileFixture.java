package io.lockkeeper.testkit;

import io.lockkeeper.file.FileBackend;
import io.lockkeeper.spi.Backend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Files in a new folder, which other processes reach too. Nothing in them is ever lost, so there is nothing to break. */
final class FileFixture implements BackendFixture {

    private final Path parent;
    private final Path folder;
    private final Backend backend;

    FileFixture() throws IOException {
        parent = Files.createTempDirectory("lockkeeper-contract");
        folder = parent.resolve("locks");
        backend = FileBackend.in(folder);
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public Optional<String> url() {
        return Optional.of("file:" + folder);
    }

    @Override
    public void close() {
        backend.close();
        try (Stream<Path> files = Files.walk(parent)) {
            files.sorted(Comparator.reverseOrder()).forEach(FileFixture::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
