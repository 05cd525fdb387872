package io.lockkeeper.benchmarks.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder, for what needs no server: file locks use it, others nothing. */
final class FolderSite implements Site {

    private final Path folder;

    FolderSite() {
        try {
            folder = Files.createTempDirectory("lockkeeper-bench");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a temporary folder", e);
        }
    }

    @Override
    public String url() {
        return "file:" + folder;
    }

    @Override
    public String version() {
        return "files";
    }

    @Override
    public Site delayed(Duration delay) {
        throw new IllegalStateException("There is no network before a folder");
    }

    @Override
    public long scripts() {
        return 0;
    }

    @Override
    public Tally tally() {
        return new Tally() {
            @Override
            public long count() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public int connections() {
        return 0;
    }

    @Override
    public Duration cpu() {
        return Duration.ZERO;
    }

    @Override
    public void clear() {}

    @Override
    public void multiply(String name, String further, int count) {
        throw new IllegalStateException("Files are not multiplied");
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + folder, e);
        }
    }
}
